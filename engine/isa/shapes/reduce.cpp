// SPDX-License-Identifier: Apache-2.0
// A whole tensor becomes one value (and, for an extreme, the index of its first occurrence). Counted sums add the results of the repeats
// one after the other; masked sums make a tree of them as well: results are collected by the repeat and folded like lanes.
#include <limits>

#include "isa/shapes/reduction.h"

namespace aclimb {
namespace {

float sum_in_order(const Reduction& reduction) {
    float total = reduction.sum_or_extreme(0);
    for (uint32_t r = 1; r < reduction.repeats().count; r++) total = reduction.one(total, reduction.sum_or_extreme(r));
    return total;
}

// Results wait in rows of one repeat's lanes; a full row becomes one value of the next row. Five rows hold more than 2^30 results.
class SumTree {
  public:
    explicit SumTree(const Reduction& reduction) : reduction_(reduction) {}
    void add(float value, int row = 0) {
        rows_[row][used_[row]++] = value;
        if (used_[row] == reduction_.lanes() && row + 1 < kRows) flush(row);
    }
    float total() {
        for (int row = 0; row + 1 < kRows; row++) {
            if (used_[row] == 1 && is_last(row)) return rows_[row][0];
            if (used_[row]) flush(row);
        }
        return fold(kRows - 1);
    }

  private:
    static constexpr int kRows = 6;
    bool is_last(int row) const {
        for (int above = row + 1; above < kRows; above++)
            if (used_[above]) return false;
        return true;
    }
    float fold(int row) {
        float result[128];
        for (uint32_t lane = used_[row]; lane < reduction_.lanes(); lane++) rows_[row][lane] = 0;
        reduction_.combine(result, rows_[row], reduction_.lanes(), levels_of(reduction_.lanes()));
        used_[row] = 0;
        return result[0];
    }
    void flush(int row) { add(fold(row), row + 1); }

    const Reduction& reduction_;
    float rows_[kRows][128];
    uint32_t used_[kRows] = {};
};

float sum_as_tree(const Reduction& reduction) {
    SumTree tree(reduction);
    for (uint32_t r = 0; r < reduction.repeats().count; r++) tree.add(reduction.sum_or_extreme(r));
    return tree.total();
}

Extreme extreme_of_all(const Reduction& reduction) {
    Extreme best = reduction.extreme(0);
    for (uint32_t r = 1; r < reduction.repeats().count; r++) {
        const Extreme extreme = reduction.extreme(r);
        if (is_better(reduction.fold(), extreme.value, best.value)) best = {extreme.value, r * reduction.lanes() + extreme.index};
    }
    return best;
}

} // namespace

bool run_reduce(Datapath& core, Head& head) {
    Vector v = vector_of(head);
    if (v.counted == 1) v.a_stride = {1, 8};
    const Reduction reduction(core, v, std::numeric_limits<int32_t>::max());
    const bool is_sum = reduction.fold() == Fold::sum, with_index = !is_sum && v.mode;
    const uint32_t result = with_index ? 2 * reduction.element() : reduction.element();
    require_ub(core, v.dst, result, 0);
    if (reduction.repeats().count == 0) return true;
    uint8_t* to = core.write(v.dst, result, 0);
    if (is_sum) {
        const float total = v.counted ? sum_in_order(reduction) : sum_as_tree(reduction);
        reduction.store(to, total);
        reduction.leave_sum(core, total);
        return true;
    }
    const Extreme best = extreme_of_all(reduction);
    reduction.store(to, best.value);
    if (with_index) reduction.store_index(to + reduction.element(), best.index);
    reduction.leave_extreme(core, best);
    return true;
}

} // namespace aclimb
