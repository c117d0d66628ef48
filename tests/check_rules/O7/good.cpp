// SPDX-License-Identifier: Apache-2.0
// Nobody adds before block 0 has cleared the sum.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t kCount = 256; // words of a block

extern "C" __global__ __aicore__ void sum_of_rows(GM_ADDR x, GM_ADDR z) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    GlobalTensor<int32_t> from, to;
    from.SetGlobalBuffer((__gm__ int32_t*)x + GetBlockIdx() * kCount, kCount);
    to.SetGlobalBuffer((__gm__ int32_t*)z, kCount);
    LocalTensor<int32_t> zero(TPosition::VECOUT, 0, kCount), row(TPosition::VECIN, 1024, kCount);
    if (GetBlockIdx() == 0) {
        Duplicate(zero, 0, kCount);
        SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
        DataCopy(to, zero, kCount);
    }
    SyncAll();
    DataCopy(row, from, kCount);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    SetAtomicAdd<int32_t>();
    DataCopy(to, row, kCount);
    SetAtomicNone();
}
