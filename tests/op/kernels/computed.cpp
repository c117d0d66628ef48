// SPDX-License-Identifier: Apache-2.0
// Kernels that know the shape of their output only when they have run. The shape buffer is 9 words: rank, then up to 8 sides.
#include "kernel_operator.h"

using namespace AscendC;

struct CountTiling {
    uint32_t count;
};
constexpr uint64_t kWide = 1u << 31; // in the rank: the words have 64 bits

__aicore__ inline uint32_t Gather(GM_ADDR x, GM_ADDR z, uint32_t count) {
    const auto* from = (const __gm__ float*)x;
    auto* to = (__gm__ float*)z;
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (from[i] > 0.0f) to[found++] = from[i];
    }
    return found;
}

// z = what is above 0 in x.
extern "C" __global__ __vector__ void positive_wide(GM_ADDR x, GM_ADDR z, GM_ADDR shape, GM_ADDR workspace, GM_ADDR tiling) {
    GET_TILING_DATA_WITH_STRUCT(CountTiling, plan, tiling);
    auto* words = (__gm__ uint64_t*)shape;
    words[1] = Gather(x, z, plan.count);
    words[0] = 1 | kWide;
}

extern "C" __global__ __vector__ void positive_narrow(GM_ADDR x, GM_ADDR z, GM_ADDR shape, GM_ADDR workspace, GM_ADDR tiling) {
    GET_TILING_DATA_WITH_STRUCT(CountTiling, plan, tiling);
    auto* words = (__gm__ uint32_t*)shape;
    words[1] = Gather(x, z, plan.count);
    words[0] = 1;
}

extern "C" __global__ __vector__ void too_many_sides(GM_ADDR x, GM_ADDR z, GM_ADDR shape, GM_ADDR workspace, GM_ADDR tiling) {
    ((__gm__ uint64_t*)shape)[0] = 9 | kWide;
}
