// SPDX-License-Identifier: Apache-2.0
// A recursion deeper than the stack of a core.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kLength = 1024; // floats of x and of z

// Sums 0 to n; the array is what a frame costs.
__aicore__ __attribute__((noinline)) int32_t Deep(int32_t n, volatile int32_t* before) {
    volatile int32_t frame[64];
    frame[n & 63] = n + before[n & 63];
    return n == 0 ? frame[0] : Deep(n - 1, frame) + frame[n & 63] * 0;
}

extern "C" __global__ __aicore__ void stack_overflow(GM_ADDR x, GM_ADDR z) {
    GlobalTensor<float> xGm, zGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, kLength);
    zGm.SetGlobalBuffer((__gm__ float*)z, kLength);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, kLength * sizeof(float));
    LocalTensor<float> local = buffer.Get<float>();
    DataCopy(local, xGm, kLength);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    volatile int32_t first[64] = {};
    Adds(local, local, Deep(100000, first) * 0.0f, kLength);
    Add(local, local, local, kLength);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(zGm, local, kLength);
}
