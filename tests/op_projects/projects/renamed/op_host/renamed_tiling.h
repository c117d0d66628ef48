// SPDX-License-Identifier: Apache-2.0
#ifndef RENAMED_TILING_H
#define RENAMED_TILING_H
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(RenamedTilingData)
TILING_DATA_FIELD_DEF(uint32_t, total);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Renamed, RenamedTilingData)
REGISTER_TILING_DATA_CLASS(Chosen, RenamedTilingData)
REGISTER_TILING_DATA_CLASS(Deeper, RenamedTilingData)
} // namespace optiling
#endif
