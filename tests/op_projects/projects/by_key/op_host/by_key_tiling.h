// SPDX-License-Identifier: Apache-2.0
#ifndef BY_KEY_TILING_H
#define BY_KEY_TILING_H
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(ByKeyTilingData)
TILING_DATA_FIELD_DEF(uint32_t, length);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(ByKey, ByKeyTilingData)

BEGIN_TILING_DATA_DEF(ByKeyAddTilingData)
TILING_DATA_FIELD_DEF(float, addend);
TILING_DATA_FIELD_DEF(uint64_t, length);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(ByKey_1, ByKeyAddTilingData)

BEGIN_TILING_DATA_DEF(ByKeyMulTilingData)
TILING_DATA_FIELD_DEF_ARR(float, 2, factors);
TILING_DATA_FIELD_DEF(uint16_t, length);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(ByKey_20, ByKeyMulTilingData)

BEGIN_TILING_DATA_DEF(PickTilingData)
TILING_DATA_FIELD_DEF(uint32_t, length);
TILING_DATA_FIELD_DEF(float, low);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Pick, PickTilingData)

BEGIN_TILING_DATA_DEF(PickBothTilingData)
TILING_DATA_FIELD_DEF(float, low);
TILING_DATA_FIELD_DEF(float, high);
TILING_DATA_FIELD_DEF(uint8_t, length);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Pick_7, PickBothTilingData)
} // namespace optiling
#endif
