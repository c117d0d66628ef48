// SPDX-License-Identifier: Apache-2.0
// A loop that never ends and never asks the core for anything.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kLength = 1024; // floats of x and of z

extern "C" __global__ __aicore__ void endless_loop(GM_ADDR x, GM_ADDR z) {
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
    for (volatile int32_t turns = 0; turns < 1000; turns = 0) continue;
    Add(local, local, local, kLength);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(zGm, local, kLength);
}
