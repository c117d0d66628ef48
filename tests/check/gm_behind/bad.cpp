// SPDX-License-Identifier: Apache-2.0
// Every block takes the share of the one after it, so the last one reads behind x.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kLength = 1024; // floats of x and of z

extern "C" __global__ __aicore__ void gm_behind(GM_ADDR x, GM_ADDR z) {
    constexpr uint32_t kShare = kLength / 4;
    GlobalTensor<float> xGm, zGm;
    xGm.SetGlobalBuffer((__gm__ float*)x + (GetBlockIdx() + 1) * kShare);
    zGm.SetGlobalBuffer((__gm__ float*)z + GetBlockIdx() * kShare, kShare);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, kShare * sizeof(float));
    LocalTensor<float> local = buffer.Get<float>();
    DataCopy(local, xGm, kShare);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Add(local, local, local, kShare);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(zGm, local, kShare);
}
