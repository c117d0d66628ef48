// SPDX-License-Identifier: Apache-2.0
// One result for each 32-byte block, eight in a repeat. The destination's repeat stride counts eight results. The result of a block
// without a selected lane is not written.
#include "isa/shapes/reduction.h"

namespace aclimb {

bool run_reduce_block(Datapath& core, Head& head) {
    const Vector& v = vector_of(head);
    const Reduction reduction(core, v);
    const uint32_t element = reduction.element(), block_lanes = kBlockBytes / element;
    require_ub(core, v.dst, 8 * element, 0);
    const Repeats& repeats = reduction.repeats();
    if (repeats.count == 0) return true;
    const auto results = [block_lanes](const Selection& selection) { return (selection.end + block_lanes - 1) / block_lanes; };
    const uint64_t step = uint64_t{v.dst_stride.repeat} * 8 * element;
    const uint64_t before = repeats.count > 1 ? (repeats.count - 2) * step + results(repeats.each) * element : 0;
    const uint64_t whole = (repeats.count - 1) * step + results(repeats.last) * element;
    uint8_t* to = core.write(v.dst, whole > before ? whole : before, 0);
    for (uint32_t r = 0; r < repeats.count; r++, to += step) {
        alignas(64) float lanes[128], result[128];
        reduction.load(lanes, r);
        reduction.combine(result, lanes, repeats.lanes, levels_of(block_lanes));
        for (uint32_t block = 0; block < 8; block++)
            if (repeats.of(r).of(block * block_lanes, block_lanes)) reduction.store(to + block * element, result[block]);
    }
    return true;
}

} // namespace aclimb
