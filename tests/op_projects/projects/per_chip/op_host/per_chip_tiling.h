// SPDX-License-Identifier: Apache-2.0
#ifndef PER_CHIP_TILING_H
#define PER_CHIP_TILING_H
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(PerChipTilingData)
TILING_DATA_FIELD_DEF(uint64_t, total);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(PerChip, PerChipTilingData)
} // namespace optiling
#endif
