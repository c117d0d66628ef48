// SPDX-License-Identifier: Apache-2.0
// 15 sets and as many waits.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kLength = 1024; // floats of x and of z

extern "C" __global__ __aicore__ void cross_core_overflow(GM_ADDR x, GM_ADDR z) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    if ASCEND_IS_AIC {
        for (int i = 0; i < 15; ++i) CrossCoreSetFlag<2, PIPE_FIX>(5);
        CrossCoreSetFlag<2, PIPE_FIX>(6); // the AIVs begin to wait only now
        return;
    }
    CrossCoreWaitFlag(6);
    for (int i = 0; i < 15; ++i) {
        if (GetSubBlockIdx() == 1) CrossCoreWaitFlag(5);
    }
    if (GetSubBlockIdx() != 0) return;
    for (int i = 0; i < 15; ++i) CrossCoreWaitFlag(5);
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
    Add(local, local, local, kLength);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(zGm, local, kLength);
}
