// SPDX-License-Identifier: Apache-2.0
// What the reductions share. Lanes that are not selected count as the neutral element (+0, -inf, +inf). Sums are trees: neighbours are
// added level by level, and each addition rounds once to the element type; where the NPU rounds inside a tree is not published.
// NaN wins every maximum and minimum. Equal extremes: the lowest index.
#pragma once
#include "isa/numeric/half.h"
#include "isa/shapes/repeat.h"

namespace aclimb {

struct ReduceLoops { // index 0 half, 1 float
    // Lane i as a float where its bit is set, else the neutral element.
    void (*load[2])(float* to, const void* from, const uint64_t* bits, uint32_t lanes, float neutral);
    // `levels` times: neighbours become one. `from` is used up; results are at the start of `to`. Both hold at least kFoldRoom floats.
    void (*fold[2][3][2])(float* to, float* from, uint32_t lanes, uint32_t levels); // element type, Fold, saturating
};
ACLIMB_DECLARE_LEVELS(ReduceLoops, reduce_loops)

constexpr uint32_t kFoldRoom = 32; // two groups of the widest SIMD level

struct Extreme {
    float value;
    uint32_t index;
};

class Reduction {
  public:
    Reduction(Datapath& core, const Vector& v, int32_t max_repeat = kMaxRepeat);

    const Repeats& repeats() const { return repeats_; }
    uint32_t lanes() const { return repeats_.lanes; }
    uint32_t element() const { return half_ ? 2 : 4; }
    Fold fold() const { return fold_; }
    void load(float* lanes, uint32_t repeat) const;
    void combine(float* to, float* from, uint32_t lanes, uint32_t levels) const { combine_(to, from, lanes, levels); }
    float sum_or_extreme(uint32_t repeat) const;                                                // of one repeat
    Extreme extreme(uint32_t repeat) const;                                                     // with its index inside the repeat
    float one(float a, float b) const;                                                          // two values become one
    uint64_t bits(float value) const;                                                           // as an element
    void store(uint8_t* to, float value) const;                                                 // one element
    void store_index(uint8_t* to, uint32_t index) const { std::memcpy(to, &index, element()); } // raw bits in an element
    // What GetReduceRepeatSumSpr and GetReduceRepeatMaxMinSpr will answer.
    void leave_sum(Datapath& core, float sum) const { core.reduce_sum = bits(sum); }
    void leave_extreme(Datapath& core, Extreme extreme) const {
        core.reduce_value = bits(extreme.value);
        core.reduce_index = extreme.index;
    }

  private:
    const ReduceLoops& loops_;
    Repeats repeats_{};
    Extent src_{};
    const uint8_t* from_ = nullptr;
    Fold fold_;
    bool half_, saturate_;
    void (*combine_)(float*, float*, uint32_t, uint32_t);
};

inline uint32_t levels_of(uint32_t lanes) { return 31 - static_cast<uint32_t>(__builtin_clz(lanes)); }
// A later extreme replaces an earlier one only when it is strictly better, or the first NaN.
bool is_better(Fold fold, float later, float earlier);

} // namespace aclimb
