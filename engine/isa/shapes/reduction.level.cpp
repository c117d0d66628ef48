// SPDX-License-Identifier: Apache-2.0
#include "isa/shapes/reduction.h"

#include "isa/numeric/elementary.h"
#include "isa/shapes/loops.h"

ACLIMB_LEVEL_BEGIN

template <class T> static void load_lanes(float* to, const void* from_, const uint64_t* bits, uint32_t lanes, float neutral) {
    const T* from = static_cast<const T*>(from_);
    for (uint32_t first = 0; first < lanes; first += kGroup) {
        const uint64_t some = bits[first >> 6] >> (first & 63);
        float x[kGroup];
        widen_group(x, from + first);
        for (uint32_t i = 0; i < kGroup; i++) to[first + i] = some >> i & 1 ? x[i] : neutral;
    }
}

// One addition, rounded to the element type.
template <class T, bool kSaturate> ACLIMB_NUMERIC void round_lanes(float* x, uint32_t n) {
    if constexpr (std::is_same_v<T, half>)
        for (uint32_t i = 0; i < n; i += kGroup) {
            half narrow[kGroup];
            narrow_group(narrow, x + i);
            widen_group(x + i, narrow);
        }
}

template <class T, Fold fold, bool kSaturate> static void fold_lanes(float* to, float* from, uint32_t lanes, uint32_t levels) {
    float* in = from;
    float* out = to;
    for (uint32_t level = 0; level < levels; level++, lanes /= 2) {
        const uint32_t n = lanes / 2;
        ACLIMB_LANES
        for (uint32_t i = 0; i < n; i++) {
            const float a = in[2 * i], b = in[2 * i + 1];
            if constexpr (fold == Fold::sum) out[i] = Element<T, kSaturate>::finish(a + b);
            else out[i] = fold == Fold::max ? maximum(a, b) : minimum(a, b);
        }
        for (uint32_t i = n; i < (n + kGroup - 1) / kGroup * kGroup; i++) out[i] = 0; // the rounding below takes whole groups
        if constexpr (fold == Fold::sum) round_lanes<T, kSaturate>(out, n);
        float* swap = in;
        in = out;
        out = swap;
    }
    if (in != to)
        for (uint32_t i = 0; i < lanes; i++) to[i] = in[i];
}

#define ACLIMB_FOLDS(T)                                                                                                                   \
    {{fold_lanes<T, Fold::sum, false>, fold_lanes<T, Fold::sum, true>},                                                                   \
     {fold_lanes<T, Fold::max, false>, fold_lanes<T, Fold::max, true>},                                                                   \
     {fold_lanes<T, Fold::min, false>, fold_lanes<T, Fold::min, true>}}

const ReduceLoops& reduce_loops() {
    static constexpr ReduceLoops loops = {{load_lanes<half>, load_lanes<float>}, {ACLIMB_FOLDS(half), ACLIMB_FOLDS(float)}};
    return loops;
}

ACLIMB_LEVEL_END
