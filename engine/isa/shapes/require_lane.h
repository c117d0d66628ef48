// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "isa/shapes/lane_table.h"
#include "isa/shapes/lanewise.h"

namespace aclimb {

// The loop of this instruction for this type, in the saturating variant when the flag is set.
inline Lane require_lane(Datapath& core, const Vector& v, const LaneTable& table, Column column) {
    const Head& head = v.head;
    if (ACLIMB_UNLIKELY(column == Column::count)) fail_type(core, head.op, source_type(head));
    const Lane lane = table.lane[static_cast<int>(head.op)][static_cast<int>(column)][head.ctrl & kCtrlSaturate];
    if (ACLIMB_UNLIKELY(!lane)) fail_type(core, head.op, source_type(head));
    return lane;
}

} // namespace aclimb
