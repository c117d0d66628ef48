// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"

using namespace AscendC;

// Every core has its own copy of a block-local variable, also while cores take turns.
__BLOCK_LOCAL__ int32_t visits = 40;
__BLOCK_LOCAL__ int32_t zeroed;

extern "C" __global__ __aicore__ void block_local(GM_ADDR z) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    visits += 1;
    SyncAll();
    visits += static_cast<int32_t>(GetBlockIdx());
    SyncAll();
    zeroed += 1;
    GlobalTensor<int32_t> zGm;
    zGm.SetGlobalBuffer((__gm__ int32_t*)z);
    zGm.SetValue(GetBlockIdx() * 16, visits + zeroed);
}
