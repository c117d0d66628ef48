// SPDX-License-Identifier: Apache-2.0
// Each group of cores has a flag of its own.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t kCount = 256; // floats of an AIV

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR z) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    if ASCEND_IS_AIC {
        CrossCoreSetFlag<2, PIPE_FIX>(4);
        return;
    }
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * kCount, kCount);
    to.SetGlobalBuffer((__gm__ float*)z + GetBlockIdx() * kCount, kCount);
    LocalTensor<float> in(TPosition::VECIN, 0, kCount), out(TPosition::VECOUT, 1024, kCount);
    DataCopy(in, from, kCount);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Add(out, in, in, kCount);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(to, out, kCount);
    CrossCoreSetFlag<0, PIPE_MTE3>(3);
    CrossCoreWaitFlag(3); // all rows are written
    CrossCoreWaitFlag(4); // and the AIC is ready
}
