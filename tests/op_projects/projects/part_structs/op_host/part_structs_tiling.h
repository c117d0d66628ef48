// SPDX-License-Identifier: Apache-2.0
#ifndef PART_STRUCTS_TILING_H
#define PART_STRUCTS_TILING_H
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(PartSizes)
TILING_DATA_FIELD_DEF(uint32_t, total);
TILING_DATA_FIELD_DEF(uint16_t, tile);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(PartSizesOp, PartSizes)

BEGIN_TILING_DATA_DEF(PartStructsTilingData)
TILING_DATA_FIELD_DEF(uint8_t, first);
TILING_DATA_FIELD_DEF_STRUCT(PartSizes, sizes);
TILING_DATA_FIELD_DEF_ARR(float, 3, factors);
TILING_DATA_FIELD_DEF(int64_t, addend);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(PartStructs, PartStructsTilingData)
} // namespace optiling
#endif
