// SPDX-License-Identifier: Apache-2.0
// Fields that two tiling classes begin with, in a namespace inside of optiling, with types of other names.
#ifndef ODD_FIELDS_BASE_H
#define ODD_FIELDS_BASE_H
#include "register/tilingdata_base.h"

namespace optiling {
namespace odd {
using Count = uint16_t;
typedef float Factor;
enum Direction : int8_t { BACKWARD = -1, FORWARD = 1 };

BEGIN_TILING_DATA_DEF(OddBaseTilingData)
TILING_DATA_FIELD_DEF(bool, isNegative);
TILING_DATA_FIELD_DEF(Count, total);
TILING_DATA_FIELD_DEF(int64_t, large);
TILING_DATA_FIELD_DEF(bool, isShifted);
END_TILING_DATA_DEF;
} // namespace odd
} // namespace optiling
#endif
