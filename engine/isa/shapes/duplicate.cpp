// SPDX-License-Identifier: Apache-2.0
// A scalar into every selected lane.
#include "isa/shapes/data.h"
#include "isa/shapes/lanewise.h"

namespace aclimb {

bool run_duplicate(Datapath& core, Head& head) {
    const Vector& v = vector_of(head);
    require_type(core, head.op, head.dtype);
    const Lane fill = ACLIMB_PICK(data_loops).fill[bits_shift_of(head.dtype) - 4];
    if (!Lanewise<0, false>::run_plain(core, v, fill, &v.scalar))
        Lanewise<0, false>::run(core, v, lane_call(v, fill, head.dtype, &v.scalar));
    return true;
}

} // namespace aclimb
