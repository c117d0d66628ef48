// SPDX-License-Identifier: Apache-2.0
#ifndef ROOMS_TILING_H
#define ROOMS_TILING_H
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(RoomsTilingData)
TILING_DATA_FIELD_DEF(uint32_t, total);
TILING_DATA_FIELD_DEF(uint32_t, tile);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(NoRoom, RoomsTilingData)
REGISTER_TILING_DATA_CLASS(EmptyRoom, RoomsTilingData)
REGISTER_TILING_DATA_CLASS(OwnRoom, RoomsTilingData)
} // namespace optiling
#endif
