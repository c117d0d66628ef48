// SPDX-License-Identifier: Apache-2.0
// The lane loops of every instruction. Whoever needs one by its instruction includes this, and is compiled anew for a new row.
#pragma once
#include "aclimb/op.h"
#include "isa/shapes/lane.h"

namespace aclimb {

constexpr int kOps = static_cast<int>(Op::count);

struct LaneTable {
    Lane lane[kOps][kColumns][2]; // the last index: saturating
};

} // namespace aclimb
