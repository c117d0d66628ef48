// SPDX-License-Identifier: Apache-2.0
#include "isa/shapes/loops.h"
#include "isa/vector_meanings.h"

ACLIMB_LEVEL_BEGIN
const LaneTable& scalar_lanes() {
    static constexpr LaneTable table = lane_table<Form::scalar_lane, Form::scalar_accumulate>();
    return table;
}
ACLIMB_LEVEL_END
