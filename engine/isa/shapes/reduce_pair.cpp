// SPDX-License-Identifier: Apache-2.0
// One result for each pair of neighbours: 128 bytes a repeat, and the destination's repeat stride counts those. The result of a pair
// without a selected lane is not written.
#include "isa/shapes/reduction.h"

namespace aclimb {

bool run_reduce_pair(Datapath& core, Head& head) {
    const Vector& v = vector_of(head);
    const Reduction reduction(core, v);
    constexpr uint32_t unit = kRepeatBytes / 2;
    require_ub(core, v.dst, kBlockBytes, 0);
    const Repeats& repeats = reduction.repeats();
    if (repeats.count == 0) return true;
    const uint32_t element = reduction.element();
    const uint64_t step = uint64_t{v.dst_stride.repeat} * unit;
    const auto bytes = [element](const Selection& selection) { return uint64_t{(selection.end + 1) / 2} * element; };
    const uint64_t before = repeats.count > 1 ? (repeats.count - 2) * step + bytes(repeats.each) : 0;
    const uint64_t whole = (repeats.count - 1) * step + bytes(repeats.last);
    uint8_t* to = core.write(v.dst, whole > before ? whole : before, 0);
    for (uint32_t r = 0; r < repeats.count; r++, to += step) {
        alignas(64) float lanes[128], result[128];
        reduction.load(lanes, r);
        reduction.combine(result, lanes, repeats.lanes, 1);
        for (uint32_t pair = 0; pair < repeats.lanes / 2; pair++)
            if (repeats.of(r).of(2 * pair, 2)) reduction.store(to + pair * element, result[pair]);
    }
    return true;
}

} // namespace aclimb
