// SPDX-License-Identifier: Apache-2.0
// A cube call in a kernel that runs on AIVs.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kLength = 1024; // floats of x and of z

extern "C" __global__ __vector__ void cube_call_on_aiv(GM_ADDR x, GM_ADDR z) {
    GlobalTensor<float> xGm, zGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, kLength);
    zGm.SetGlobalBuffer((__gm__ float*)z, kLength);
    LocalTensor<float> local(TPosition::VECCALC, 0, kLength);
    LocalTensor<half> a(TPosition::A2, 0, 256), b(TPosition::B2, 0, 256);
    LocalTensor<float> c(TPosition::CO1, 0, 256);
    Mmad(c, a, b, MmadParams(16, 16, 16, false, false, true));
    DataCopy(local, xGm, kLength);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Add(local, local, local, kLength);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(zGm, local, kLength);
}
