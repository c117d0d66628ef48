// SPDX-License-Identifier: Apache-2.0
// One result for each repeat: the sum, or the extreme with its index. The destination's repeat stride counts results.
#include "isa/shapes/reduction.h"

namespace aclimb {
namespace {

enum Order : uint8_t { value_index, index_value, only_value, only_index }; // the numbers are those of AscendC::ReduceOrder

void reduce_sums(Datapath& core, const Vector& v, const Reduction& reduction, uint64_t step) {
    const uint32_t count = reduction.repeats().count;
    uint8_t* to = core.write(v.dst, (count - 1) * step + reduction.element(), 0);
    float total = 0;
    for (uint32_t r = 0; r < count; r++) {
        const float sum = reduction.sum_or_extreme(r);
        reduction.store(to + r * step, sum);
        total = r ? reduction.one(total, sum) : sum;
    }
    reduction.leave_sum(core, total);
}

void store_extreme(uint8_t* to, const Reduction& reduction, Extreme extreme, uint8_t order) {
    const uint32_t element = reduction.element();
    switch (order) {
    case value_index: reduction.store(to, extreme.value); return reduction.store_index(to + element, extreme.index);
    case index_value: reduction.store_index(to, extreme.index); return reduction.store(to + element, extreme.value);
    case only_value: return reduction.store(to, extreme.value);
    default: std::memcpy(to, &extreme.index, sizeof extreme.index);
    }
}

void reduce_extremes(Datapath& core, const Vector& v, const Reduction& reduction, uint64_t result, uint64_t step) {
    const uint32_t count = reduction.repeats().count;
    uint8_t* to = core.write(v.dst, (count - 1) * step + result, 0);
    Extreme best{};
    for (uint32_t r = 0; r < count; r++) {
        const Extreme extreme = reduction.extreme(r);
        store_extreme(to + r * step, reduction, extreme, v.mode);
        if (r == 0 || is_better(reduction.fold(), extreme.value, best.value)) best = {extreme.value, r * reduction.lanes() + extreme.index};
    }
    reduction.leave_extreme(core, best);
}

} // namespace

bool run_reduce_repeat(Datapath& core, Head& head) {
    const Vector& v = vector_of(head);
    const Reduction reduction(core, v);
    if (reduction.fold() != Fold::sum) core.require_range("order", v.mode, value_index, only_index);
    const bool is_sum = reduction.fold() == Fold::sum;
    const uint32_t result = is_sum || v.mode == only_value ? reduction.element() : v.mode == only_index ? 4 : 2 * reduction.element();
    require_ub(core, v.dst, result, 0);
    if (reduction.repeats().count == 0) return true;
    const uint64_t step = uint64_t{v.dst_stride.repeat} * result;
    if (is_sum) reduce_sums(core, v, reduction, step);
    else reduce_extremes(core, v, reduction, result, step);
    return true;
}

} // namespace aclimb
