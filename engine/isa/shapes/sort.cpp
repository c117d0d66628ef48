// SPDX-License-Identifier: Apache-2.0
// Sort32: repeat r makes 32 pairs of scores and indices 32 r to 32 r + 31. The mask has no say.
#include "isa/shapes/sort.h"

#include "isa/shapes/repeat.h"

namespace aclimb {

bool run_sort(Datapath& core, Head& head) {
    const Vector& v = vector_of(head);
    require_type(core, head.op, head.dtype);
    require_ub(core, v.dst, kBlockBytes, 0);
    require_ub(core, v.a, kBlockBytes, 1);
    require_ub(core, v.b, kBlockBytes, 2);
    core.require_range("repeatTime", v.repeat, 0, kMaxRepeat);
    if (v.repeat == 0) return true;
    const uint64_t pairs = kSorted * static_cast<uint64_t>(v.repeat), element = size_of(head.dtype);
    const uint8_t* scores = core.read(v.a, pairs * element, 1);
    const auto* indices = core.read<uint32_t>(v.b, pairs * sizeof(uint32_t), 2);
    uint8_t* to = core.write(v.dst, pairs * kPairBytes, 0);
    const auto sort = ACLIMB_PICK(sort_loops).of[head.dtype == Dtype::f32].sort;
    for (uint64_t at = 0; at < pairs; at += kSorted) {
        alignas(64) uint64_t sorted[kSorted];
        sort(sorted, scores + at * element, indices + at);
        std::memcpy(to + at * kPairBytes, sorted, sizeof sorted);
    }
    return true;
}

} // namespace aclimb
