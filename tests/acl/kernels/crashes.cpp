// SPDX-License-Identifier: Apache-2.0
// Kernels that would end a process, in the way their argument says.
#include "kernel_operator.h"

using namespace AscendC;

enum Kind : uint32_t { kAddress, kIllegal, kDivision, kStack, kTrap };

// Deeper than any stack; the array is what a frame costs.
__aicore__ __attribute__((noinline)) int32_t Deep(int32_t n, volatile int32_t* before) {
    volatile int32_t frame[64];
    frame[n & 63] = n + before[n & 63];
    return n == 0 ? frame[0] : Deep(n - 1, frame) + frame[n & 63];
}

__aicore__ inline void Crash(GM_ADDR out, uint32_t kind) {
    volatile int32_t zero = 0;
    volatile int32_t first[64] = {};
    switch (kind) {
    case kAddress: *(volatile int32_t*)static_cast<uint64_t>(64 + zero) = 1; break;
    case kIllegal: __builtin_trap();
    case kDivision: zero = 1000 / zero; break;
    case kStack: zero = Deep(1000000, first); break;
    default: Trap();
    }
    *(__gm__ int32_t*)out = 1;
}

extern "C" __global__ __vector__ void crashing(GM_ADDR out, uint32_t kind) { Crash(out, kind); }
extern "C" __global__ __cube__ void crashing_cube(GM_ADDR out, uint32_t kind) { Crash(out, kind); }
