// SPDX-License-Identifier: Apache-2.0
// A source tensor and a scalar, lane by lane; in the accumulating form the destination is read as well.
#include "isa/shapes/require_lane.h"

namespace aclimb {

ACLIMB_DECLARE_LEVELS(LaneTable, scalar_lanes)

bool run_scalar_lane(Datapath& core, Head& head) {
    const Vector& v = vector_of(head);
    const ScalarOperand scalar{v.scalar, v.mode};
    const Lane lane = require_lane(core, v, ACLIMB_PICK(scalar_lanes), column_of(head.dtype));
    if (!Lanewise<1, false>::run_plain(core, v, lane, &scalar)) Lanewise<1, false>::run(core, v, lane_call(v, lane, head.dtype, &scalar));
    return true;
}

bool run_scalar_accumulate(Datapath& core, Head& head) {
    const Vector& v = vector_of(head);
    const ScalarOperand scalar{v.scalar, v.mode};
    const Lane lane = require_lane(core, v, ACLIMB_PICK(scalar_lanes), accumulate_column(head));
    Lanewise<1, true>::run(core, v, lane_call(v, lane, source_type(head), &scalar));
    return true;
}

} // namespace aclimb
