// SPDX-License-Identifier: Apache-2.0
#ifndef TURN_TYPE_TILING_H
#define TURN_TYPE_TILING_H
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(TurnTypeTilingData)
TILING_DATA_FIELD_DEF(uint32_t, total);
TILING_DATA_FIELD_DEF(uint32_t, tile);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(TurnType, TurnTypeTilingData)
} // namespace optiling
#endif
