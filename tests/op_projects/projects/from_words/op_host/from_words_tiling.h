// SPDX-License-Identifier: Apache-2.0
#ifndef FROM_WORDS_TILING_H
#define FROM_WORDS_TILING_H
#include "gain_table.h"
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(FromWordsTilingData)
TILING_DATA_FIELD_DEF(uint32_t, total);
TILING_DATA_FIELD_DEF_ARR(int32_t, GAIN_COUNT, gains);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(FromWords, FromWordsTilingData)
} // namespace optiling
#endif
