// SPDX-License-Identifier: Apache-2.0
#ifndef JOIN_MANY_TILING_H
#define JOIN_MANY_TILING_H
#include "register/tilingdata_base.h"

namespace optiling {
constexpr uint32_t MAX_TENSORS = 6;

BEGIN_TILING_DATA_DEF(JoinManyTilingData)
TILING_DATA_FIELD_DEF(uint32_t, tensorNum);
TILING_DATA_FIELD_DEF_ARR(uint32_t, MAX_TENSORS, lengths);
TILING_DATA_FIELD_DEF_ARR(float, MAX_TENSORS, factors);
TILING_DATA_FIELD_DEF(uint64_t, maxLength);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(JoinMany, JoinManyTilingData)
} // namespace optiling
#endif
