// SPDX-License-Identifier: Apache-2.0
// One kernel that goes wrong in the way its argument says, in one of its blocks; the others store their number.
#include "kernel_operator.h"

using namespace AscendC;

enum Kind : uint32_t { kAddress, kTrap, kDivision, kStack, kLoop, kPolling, kBounds, kHang };

// Deeper than any stack; the array is what a frame costs.
__aicore__ __attribute__((noinline)) int32_t Deep(int32_t n, volatile int32_t* before) {
    volatile int32_t frame[64];
    frame[n & 63] = n + before[n & 63];
    return n == 0 ? frame[0] : Deep(n - 1, frame) + frame[n & 63];
}

__aicore__ inline void GoWrong(uint32_t kind, GM_ADDR z) {
    GlobalTensor<int32_t> zGm;
    zGm.SetGlobalBuffer((__gm__ int32_t*)z);
    volatile int32_t zero = 0;
    volatile int32_t first[64] = {};
    switch (kind) {
    case kAddress: *(volatile int32_t*)static_cast<uint64_t>(64 + zero) = 1; break;
    case kTrap: __builtin_trap();
    case kDivision: zero = 1000 / zero; break;
    case kStack: zero = Deep(1000000, first); break;
    case kLoop:
        while (zero == 0) {}
        break;
    case kPolling:
        while (zGm.GetValue(0) != -1) {}
        break;
    case kBounds: zGm.SetValue(128, 1); break; // in the red zone behind it, whatever else is allocated
    default: WaitFlag<HardEvent::V_S>(EVENT_ID5);
    }
}

extern "C" __global__ __aicore__ void faulty(GM_ADDR z, uint32_t kind, int32_t block) {
    if (GetBlockIdx() == block) GoWrong(kind, z);
    ((__gm__ int32_t*)z)[8 + GetBlockIdx()] = static_cast<int32_t>(GetBlockIdx());
}
