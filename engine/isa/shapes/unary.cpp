// SPDX-License-Identifier: Apache-2.0
// One source tensor, lane by lane.
#include "isa/shapes/require_lane.h"

namespace aclimb {

ACLIMB_DECLARE_LEVELS(LaneTable, unary_lanes)

bool run_unary(Datapath& core, Head& head) {
    const Vector& v = vector_of(head);
    const Lane lane = require_lane(core, v, ACLIMB_PICK(unary_lanes), column_of(head.dtype));
    if (!Lanewise<1, false>::run_plain(core, v, lane)) Lanewise<1, false>::run(core, v, lane_call(v, lane, head.dtype));
    return true;
}

} // namespace aclimb
