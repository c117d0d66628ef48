// SPDX-License-Identifier: Apache-2.0
#ifndef MAYBE_BIAS_TILING_H
#define MAYBE_BIAS_TILING_H
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(MaybeBiasTilingData)
TILING_DATA_FIELD_DEF(uint32_t, rows);
TILING_DATA_FIELD_DEF(uint32_t, columns);
TILING_DATA_FIELD_DEF(uint8_t, hasBias);
TILING_DATA_FIELD_DEF(uint8_t, isRelu);
TILING_DATA_FIELD_DEF(float, alpha);
TILING_DATA_FIELD_DEF_ARR(int64_t, 2, offsets);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(MaybeBias, MaybeBiasTilingData)
} // namespace optiling
#endif
