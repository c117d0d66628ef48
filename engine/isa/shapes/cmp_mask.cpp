// SPDX-License-Identifier: Apache-2.0
// The 128-bit compare-mask register to and from 16 bytes of the UB.
#include "aclimb/op.h"
#include "isa/shapes/repeat.h"

namespace aclimb {

bool run_cmp_mask(Datapath& core, Head& head) {
    const Vector& v = vector_of(head);
    constexpr uint32_t size = sizeof core.cmp_mask;
    if (head.op == Op::get_cmp_mask) {
        require_ub(core, v.dst, size, 0);
        std::memcpy(core.write(v.dst, size, 0), core.cmp_mask, size);
    } else {
        require_ub(core, v.a, size, 1);
        std::memcpy(core.cmp_mask, core.read(v.a, size, 1), size);
    }
    return true;
}

} // namespace aclimb
