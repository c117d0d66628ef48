// SPDX-License-Identifier: Apache-2.0
#include "isa/shapes/reduction.h"

#include <cmath>

namespace aclimb {
namespace {

float neutral_of(Fold fold) { return fold == Fold::sum ? 0.0f : fold == Fold::max ? -__builtin_inff() : __builtin_inff(); }

} // namespace

bool is_better(Fold fold, float later, float earlier) {
    if (earlier != earlier) return false;
    return later != later || (fold == Fold::max ? later > earlier : later < earlier);
}

Reduction::Reduction(Datapath& core, const Vector& v, int32_t max_repeat)
    : loops_(ACLIMB_PICK(reduce_loops)), fold_(fold_of(v.head.op)), half_(v.head.dtype == Dtype::half),
      saturate_(v.head.ctrl & kCtrlSaturate) {
    require_type(core, v.head.op, v.head.dtype);
    require_ub(core, v.a, kBlockBytes, 1);
    combine_ = loops_.fold[!half_][static_cast<int>(fold_)][saturate_];
    repeats_ = repeats_of(core, v, kRepeatBits >> bits_shift_of(v.head.dtype), max_repeat);
    if (repeats_.count == 0) return;
    src_ = extent_of(v.head.dtype, v.a_stride);
    from_ = core.read(v.a, repeats_.span(src_), 1);
}

void Reduction::load(float* lanes, uint32_t repeat) const {
    alignas(64) uint8_t stage[kRepeatBytes];
    const Selection& selection = repeats_.of(repeat);
    const uint8_t* from = from_ + uint64_t{repeat} * src_.repeat;
    if (selection.end < repeats_.lanes || src_.block != kBlockBytes) { // blocks without selected lanes are not even read
        gather(stage, from, src_, selection);
        from = stage;
    }
    loops_.load[!half_](lanes, from, selection.bits, repeats_.lanes, neutral_of(fold_));
}

float Reduction::sum_or_extreme(uint32_t repeat) const {
    alignas(64) float lanes[128], result[128];
    load(lanes, repeat);
    combine_(result, lanes, repeats_.lanes, levels_of(repeats_.lanes));
    return result[0];
}

Extreme Reduction::extreme(uint32_t repeat) const {
    alignas(64) float lanes[128], used[128], result[128];
    load(lanes, repeat);
    std::memcpy(used, lanes, sizeof used);
    combine_(result, used, repeats_.lanes, levels_of(repeats_.lanes));
    const Selection& selection = repeats_.of(repeat);
    uint32_t index = 0;
    for (uint32_t lane = 0; lane < selection.end; lane++) {
        const bool same = lanes[lane] == result[0] || (std::isnan(lanes[lane]) && std::isnan(result[0]));
        if (same && selection.has(lane)) {
            index = lane;
            break;
        }
    }
    return {result[0], index};
}

float Reduction::one(float a, float b) const {
    float pair[kFoldRoom] = {a, b}, result[kFoldRoom];
    combine_(result, pair, 2, 1);
    return result[0];
}

uint64_t Reduction::bits(float value) const {
    if (!half_) return bits_of(canonical(value));
    return narrow_half(saturate_ ? saturated(value, kHalfMax) : canonical(value)).bits;
}

void Reduction::store(uint8_t* to, float value) const {
    const uint64_t element_bits = bits(value);
    std::memcpy(to, &element_bits, element());
}

} // namespace aclimb
