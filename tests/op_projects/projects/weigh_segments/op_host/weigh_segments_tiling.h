// SPDX-License-Identifier: Apache-2.0
#ifndef WEIGH_SEGMENTS_TILING_H
#define WEIGH_SEGMENTS_TILING_H
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(SegmentTailTiling)
TILING_DATA_FIELD_DEF(uint8_t, hasTail);
TILING_DATA_FIELD_DEF(uint16_t, tailLength);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(SegmentTailTilingOp, SegmentTailTiling)

BEGIN_TILING_DATA_DEF(SegmentTiling)
TILING_DATA_FIELD_DEF(uint32_t, begin);
TILING_DATA_FIELD_DEF(uint8_t, tiles);
TILING_DATA_FIELD_DEF_ARR(float, 3, weights);
TILING_DATA_FIELD_DEF_STRUCT(SegmentTailTiling, tail);
TILING_DATA_FIELD_DEF(int8_t, sign);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(SegmentTilingOp, SegmentTiling)

BEGIN_TILING_DATA_DEF(WeighSegmentsTilingData)
TILING_DATA_FIELD_DEF(uint8_t, tileLength);
TILING_DATA_FIELD_DEF_ARR(int16_t, 5, shifts);
TILING_DATA_FIELD_DEF_STRUCT(SegmentTiling, first);
TILING_DATA_FIELD_DEF(uint16_t, total);
TILING_DATA_FIELD_DEF_STRUCT(SegmentTiling, second);
TILING_DATA_FIELD_DEF_ARR(uint8_t, 3, flags);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(WeighSegments, WeighSegmentsTilingData)
} // namespace optiling
#endif
