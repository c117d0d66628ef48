// SPDX-License-Identifier: Apache-2.0
// Two source tensors, lane by lane; in the accumulating form the destination is a third.
#include "isa/shapes/require_lane.h"

namespace aclimb {

ACLIMB_DECLARE_LEVELS(LaneTable, binary_lanes)

bool run_binary(Datapath& core, Head& head) {
    const Vector& v = vector_of(head);
    const Lane lane = require_lane(core, v, ACLIMB_PICK(binary_lanes), column_of(head.dtype));
    if (!Lanewise<2, false>::run_plain(core, v, lane)) Lanewise<2, false>::run(core, v, lane_call(v, lane, head.dtype));
    return true;
}

bool run_accumulate(Datapath& core, Head& head) {
    const Vector& v = vector_of(head);
    const Lane lane = require_lane(core, v, ACLIMB_PICK(binary_lanes), accumulate_column(head));
    Lanewise<2, true>::run(core, v, lane_call(v, lane, source_type(head)));
    return true;
}

} // namespace aclimb
