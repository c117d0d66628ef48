// SPDX-License-Identifier: Apache-2.0
#ifndef BY_OPTIONS_TILING_H
#define BY_OPTIONS_TILING_H
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(ByOptionsTilingData)
TILING_DATA_FIELD_DEF(uint32_t, total);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(GrowByOption, ByOptionsTilingData)
REGISTER_TILING_DATA_CLASS(GrowPlain, ByOptionsTilingData)
} // namespace optiling
#endif
