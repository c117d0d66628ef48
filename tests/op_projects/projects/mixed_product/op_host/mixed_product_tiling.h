// SPDX-License-Identifier: Apache-2.0
#ifndef MIXED_PRODUCT_TILING_H
#define MIXED_PRODUCT_TILING_H
#include "register/tilingdata_base.h"
#include "tiling/tiling_api.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(MixedProductTilingData)
TILING_DATA_FIELD_DEF(float, addend);
TILING_DATA_FIELD_DEF_STRUCT(TCubeTiling, cubeTilingData);
TILING_DATA_FIELD_DEF(uint32_t, bytesOfC);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(MixedProduct, MixedProductTilingData)
} // namespace optiling
#endif
