// SPDX-License-Identifier: Apache-2.0
#include "isa/shapes/loops.h"
#include "isa/vector_meanings.h"

ACLIMB_LEVEL_BEGIN
const LaneTable& binary_lanes() {
    static constexpr LaneTable table = lane_table<Form::binary, Form::accumulate>();
    return table;
}
ACLIMB_LEVEL_END
