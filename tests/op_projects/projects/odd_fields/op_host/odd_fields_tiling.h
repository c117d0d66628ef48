// SPDX-License-Identifier: Apache-2.0
#ifndef ODD_FIELDS_TILING_H
#define ODD_FIELDS_TILING_H
#include "odd_fields_base.h"

namespace optiling {
namespace odd {
class OddFieldsTilingData : public OddBaseTilingData {
  public:
    TILING_DATA_FIELD_DEF(Factor, factor);
    TILING_DATA_FIELD_DEF(Direction, direction);
    TILING_DATA_FIELD_DEF_ARR(bool, 3, added);
    TILING_DATA_FIELD_DEF(double, precise);
    TILING_DATA_FIELD_DEF(int8_t, last);
};
REGISTER_TILING_DATA_CLASS(OddFields, OddFieldsTilingData)
} // namespace odd
} // namespace optiling
#endif
