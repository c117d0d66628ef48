// SPDX-License-Identifier: Apache-2.0
// Kernels that go wrong in block `block`; a block that ends well stores 1 at out[its number]. Each mistake for AIV, AIC and a mixed kernel.
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void Loop(GM_ADDR) {
    for (volatile int32_t turns = 0; turns < 1000; turns = 0) {}
}

__aicore__ inline void FarAway(GM_ADDR out) {
    GlobalTensor<int32_t> outGm;
    outGm.SetGlobalBuffer((__gm__ int32_t*)out);
    outGm.SetValue(1ull << 38, 1); // beyond all that a device has: nearer places may be another test's
}

__aicore__ inline void Claim(GM_ADDR out) { assert(out == nullptr); }

template <typename Mistake> __aicore__ inline void Run(GM_ADDR out, int32_t block, Mistake mistake) {
    if (GetBlockIdx() == block) mistake(out);
    if (GetSubBlockIdx() == 0) ((__gm__ int32_t*)out)[GetBlockIdx()] = 1;
}

extern "C" __global__ __vector__ void endless(GM_ADDR out, int32_t block) { Run(out, block, Loop); }
extern "C" __global__ __cube__ void endless_cube(GM_ADDR out, int32_t block) { Run(out, block, Loop); }
extern "C" __global__ __vector__ void out_of_bounds(GM_ADDR out, int32_t block) { Run(out, block, FarAway); }
extern "C" __global__ __cube__ void out_of_bounds_cube(GM_ADDR out, int32_t block) { Run(out, block, FarAway); }
extern "C" __global__ __vector__ void asserting(GM_ADDR out, int32_t block) { Run(out, block, Claim); }
extern "C" __global__ __cube__ void asserting_cube(GM_ADDR out, int32_t block) { Run(out, block, Claim); }

extern "C" __global__ __mix__(1, 2) void endless_mix(GM_ADDR out, int32_t block) {
    if ASCEND_IS_AIC {
        Run(out, block, Loop);
    }
}
extern "C" __global__ __mix__(1, 2) void out_of_bounds_mix(GM_ADDR out, int32_t block) {
    if ASCEND_IS_AIC {
        Run(out, block, FarAway);
    }
}
extern "C" __global__ __mix__(1, 2) void asserting_mix(GM_ADDR out, int32_t block) {
    if ASCEND_IS_AIC {
        Run(out, block, Claim);
    }
}
