// SPDX-License-Identifier: Apache-2.0
// One instruction in a loop, n times.
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void nothing(uint32_t) {}

extern "C" __global__ __aicore__ void flags(uint32_t n) {
    for (uint32_t i = 0; i < n; i += 2) {
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    }
}

extern "C" __global__ __aicore__ void barriers(uint32_t n) {
    for (uint32_t i = 0; i < n; i++) PipeBarrier<PIPE_V>();
}

extern "C" __global__ __aicore__ void scalars(uint32_t n) {
    LocalTensor<float> x(TPosition::VECIN, 0, 1024);
    float sum = 0;
    for (uint32_t i = 0; i < n; i++) sum += x.GetValue(i & 1023);
    if (sum == 42) x.SetValue(0, sum);
}

extern "C" __global__ __aicore__ void add_float(uint32_t n) {
    LocalTensor<float> x(TPosition::VECIN, 0, 1024), y(TPosition::VECOUT, 4096, 1024);
    for (uint32_t i = 0; i < n; i++) Add(y, x, x, 64);
}

extern "C" __global__ __aicore__ void add_half(uint32_t n) {
    LocalTensor<half> x(TPosition::VECIN, 0, 1024), y(TPosition::VECOUT, 4096, 1024);
    for (uint32_t i = 0; i < n; i++) Add(y, x, x, 128);
}

extern "C" __global__ __aicore__ void add_half_masked(uint32_t n) {
    LocalTensor<half> x(TPosition::VECIN, 0, 1024), y(TPosition::VECOUT, 4096, 1024);
    for (uint32_t i = 0; i < n; i++) Add(y, x, x, static_cast<uint64_t>(128), 1, BinaryRepeatParams(1, 1, 1, 8, 8, 8));
}

extern "C" __global__ __aicore__ void deferred(uint32_t n) { // 62 instructions stand behind a wait each time
    LocalTensor<float> x(TPosition::VECIN, 0, 1024), y(TPosition::VECOUT, 4096, 1024);
    for (uint32_t i = 0; i < n; i += 64) {
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
        for (int j = 0; j < 62; j++) Add(y, x, x, 64);
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    }
}
