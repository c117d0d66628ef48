// SPDX-License-Identifier: Apache-2.0
#include "isa/shapes/reduction.h"

#include "isa/numeric/elementary.h"
#include "isa/shapes/elements.h"

ACLIMB_LEVEL_BEGIN

template <class T> static void load_lanes(float* to, const void* from_, const uint64_t* bits, uint32_t lanes, float neutral) {
    static constexpr uint32_t bit[16] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
    const T* from = static_cast<const T*>(from_);
    for (uint32_t first = 0; first < lanes; first += kGroup) {
        const uint32_t some = static_cast<uint32_t>(bits[first >> 6] >> (first & 63));
        float x[kGroup];
        widen_group(x, from + first);
        for (uint32_t i = 0; i < kGroup; i++) to[first + i] = some & bit[i] ? x[i] : neutral;
    }
}

template <class T, Fold fold, bool kSaturate> ACLIMB_NUMERIC void fold_group(float* out, const float* in) {
    float result[kGroup];
    for (uint32_t i = 0; i < kGroup; i++) {
        const float a = in[2 * i], b = in[2 * i + 1];
        if constexpr (fold == Fold::sum) result[i] = Element<T, kSaturate>::finish(a + b);
        else result[i] = fold == Fold::max ? maximum(a, b) : minimum(a, b);
    }
    if constexpr (fold == Fold::sum && std::is_same_v<T, half>) { // each addition rounds to the element type
        half narrow[kGroup];
        narrow_group(narrow, result);
        widen_group(result, narrow);
    }
    for (uint32_t i = 0; i < kGroup; i++) out[i] = result[i];
}

// Always whole groups: the buffers are long enough, and what comes of the lanes beyond the last one is never looked at.
template <class T, Fold fold, bool kSaturate> static void fold_lanes(float* to, float* from, uint32_t lanes, uint32_t levels) {
    float *in = from, *out = to;
    for (uint32_t level = 0; level < levels; level++, lanes /= 2) {
        for (uint32_t i = 0; i < lanes / 2; i += kGroup) fold_group<T, fold, kSaturate>(out + i, in + 2 * i);
        float* swap = in;
        in = out;
        out = swap;
    }
    if (in != to)
        for (uint32_t i = 0; i < lanes; i++) to[i] = in[i];
}

#define ACLIMB_FOLDS(T)                                                                                                                    \
    {                                                                                                                                      \
        {fold_lanes<T, Fold::sum, false>, fold_lanes<T, Fold::sum, true>},                                                                 \
            {fold_lanes<T, Fold::max, false>, fold_lanes<T, Fold::max, true>}, {                                                           \
            fold_lanes<T, Fold::min, false>, fold_lanes<T, Fold::min, true>                                                                \
        }                                                                                                                                  \
    }

const ReduceLoops& reduce_loops() {
    static constexpr ReduceLoops loops = {{load_lanes<half>, load_lanes<float>}, {ACLIMB_FOLDS(half), ACLIMB_FOLDS(float)}};
    return loops;
}

ACLIMB_LEVEL_END
