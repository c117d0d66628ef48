// SPDX-License-Identifier: Apache-2.0
// The flag for the other blocks is set when V is done; the row is written by MTE3.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t kCount = 256; // floats of a block

extern "C" __global__ __aicore__ void rotate(GM_ADDR x, GM_ADDR z, GM_ADDR workspace) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    const uint32_t block = GetBlockIdx(), neighbour = (block + 1) % GetBlockNum();
    GlobalTensor<float> from, to, shared;
    from.SetGlobalBuffer((__gm__ float*)x + block * kCount, kCount);
    to.SetGlobalBuffer((__gm__ float*)z + block * kCount, kCount);
    shared.SetGlobalBuffer((__gm__ float*)workspace);
    LocalTensor<float> in(TPosition::VECIN, 0, kCount), out(TPosition::VECOUT, 1024, kCount);
    DataCopy(in, from, kCount);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Add(out, in, in, kCount);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(shared[block * kCount], out, kCount);
    CrossCoreSetFlag<0, PIPE_V>(3);
    CrossCoreWaitFlag(3);
    DataCopy(in, shared[neighbour * kCount], kCount);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(to, in, kCount);
}
