// SPDX-License-Identifier: Apache-2.0
// A local array is filled with as many values as the tensor has.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kLength = 1024; // floats of x and of z

extern "C" __global__ __aicore__ void array_overrun(GM_ADDR x, GM_ADDR z) {
    volatile float factors[16];
    for (uint32_t i = 0; i < kLength; ++i) factors[i] = 2.0f;
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
    Muls(local, local, static_cast<float>(factors[15]), kLength);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(zGm, local, kLength);
}
