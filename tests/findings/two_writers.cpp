// SPDX-License-Identifier: Apache-2.0
// Both blocks write the same words, four hundred times each.
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void two_writers(GM_ADDR z) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    GlobalTensor<int32_t> to;
    to.SetGlobalBuffer((__gm__ int32_t*)z, 64);
    LocalTensor<int32_t> from(TPosition::VECOUT, 0, 64);
    Duplicate(from, (int32_t)GetBlockIdx(), 64);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    for (int i = 0; i < 400; i++) {
        DataCopy(to, from, 64);
        PipeBarrier<PIPE_MTE3>();
    }
}
