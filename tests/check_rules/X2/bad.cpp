// SPDX-License-Identifier: Apache-2.0
// The row that is cleared before the wait may still be an input of the first kernel, on another core.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t kCount = 256; // floats of a block

extern "C" __global__ __vector__ void first(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * kCount, kCount);
    to.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * kCount, kCount);
    LocalTensor<float> in(TPosition::VECIN, 0, kCount), out(TPosition::VECOUT, 1024, kCount);
    DataCopy(in, from, kCount);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Add(out, in, in, kCount);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(to, out, kCount);
    SetNextTaskStart();
}

extern "C" __global__ __vector__ void second(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    GlobalTensor<float> from, to, used;
    from.SetGlobalBuffer((__gm__ float*)y + (GetBlockIdx() + 1) % GetBlockNum() * kCount, kCount);
    to.SetGlobalBuffer((__gm__ float*)z + GetBlockIdx() * kCount, kCount);
    used.SetGlobalBuffer((__gm__ float*)x + (GetBlockIdx() + 1) % GetBlockNum() * kCount, kCount);
    LocalTensor<float> in(TPosition::VECIN, 4096, kCount), out(TPosition::VECOUT, 5120, kCount);
    Duplicate(in, 0.0f, kCount);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID1);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID1);
    DataCopy(used, in, kCount);
    WaitPreTaskEnd();
    SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    DataCopy(in, from, kCount);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Add(out, in, in, kCount);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(to, out, kCount);
}
