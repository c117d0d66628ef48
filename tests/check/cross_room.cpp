// SPDX-License-Identifier: Apache-2.0
// An AIC tells its AIVs again and again that something is ready. A counter takes 15.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int kReady = 3, kTaken = 4;

__aicore__ inline void Count(GM_ADDR z, int32_t taken) {
    GlobalTensor<int32_t> zGm;
    zGm.SetGlobalBuffer((__gm__ int32_t*)z, 64);
    zGm.SetValue(GetBlockIdx(), taken);
}

// Nothing holds the AIC back.
extern "C" __global__ __aicore__ void in_haste(GM_ADDR z, int32_t rounds) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    if ASCEND_IS_AIC {
        for (int32_t i = 0; i < rounds; ++i) CrossCoreSetFlag<2, PIPE_FIX>(kReady);
        return;
    }
    int32_t taken = 0;
    for (; taken < rounds; ++taken) CrossCoreWaitFlag(kReady);
    Count(z, taken);
}

// The AIC waits for an answer after every eighth.
extern "C" __global__ __aicore__ void in_step(GM_ADDR z, int32_t rounds) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    int32_t taken = 0;
    for (; taken < rounds; ++taken) {
        const bool answer = taken % 8 == 7;
        if ASCEND_IS_AIC {
            CrossCoreSetFlag<2, PIPE_FIX>(kReady);
            if (answer) CrossCoreWaitFlag(kTaken);
        } else {
            CrossCoreWaitFlag(kReady);
            if (answer) CrossCoreSetFlag<2, PIPE_MTE3>(kTaken);
        }
    }
    if ASCEND_IS_AIV Count(z, taken);
}

// The AIVs take one less than the AIC sets while its counter is full.
extern "C" __global__ __aicore__ void taken_too_seldom(GM_ADDR z, int32_t rounds) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    if ASCEND_IS_AIC {
        for (int32_t i = 0; i < rounds; ++i) CrossCoreSetFlag<2, PIPE_FIX>(kReady);
        return;
    }
    for (int32_t i = 0; i < rounds - 16; ++i) CrossCoreWaitFlag(kReady);
}

// Behind a flag that comes late: the sets stand in the queue of their pipe.
extern "C" __global__ __aicore__ void in_haste_from_a_queue(GM_ADDR z, int32_t rounds) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    if ASCEND_IS_AIC {
        WaitFlag<HardEvent::M_FIX>(EVENT_ID0);
        for (int32_t i = 0; i < rounds; ++i) CrossCoreSetFlag<2, PIPE_FIX>(kReady);
        SetFlag<HardEvent::M_FIX>(EVENT_ID0);
        return;
    }
    int32_t taken = 0;
    for (; taken < rounds; ++taken) CrossCoreWaitFlag(kReady);
    Count(z, taken);
}
