// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "isa/shapes/lane.h"

namespace aclimb {

enum class BinaryCast : uint8_t { mul, add_relu, sub_relu, count };

// Two sources of one type into a destination of another; the last index: saturating.
struct BinaryCastTable {
    Lane lane[static_cast<int>(BinaryCast::count)][kDtypes][kDtypes][2]; // destination, source
};
ACLIMB_DECLARE_LEVELS(BinaryCastTable, binary_cast_lanes)

} // namespace aclimb
