// SPDX-License-Identifier: Apache-2.0
// A vector call in a kernel that runs on AICs.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kLength = 1024; // floats of x and of z

extern "C" __global__ __cube__ void vector_call_on_aic(GM_ADDR x, GM_ADDR z) {
    GlobalTensor<float> xGm, zGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, kLength);
    zGm.SetGlobalBuffer((__gm__ float*)z, kLength);
    LocalTensor<float> local(TPosition::VECCALC, 0, kLength);
    Duplicate(local, 0.0f, kLength);
    SetFlag<HardEvent::V_MTE2>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);
    DataCopy(local, xGm, kLength);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Add(local, local, local, kLength);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(zGm, local, kLength);
}
