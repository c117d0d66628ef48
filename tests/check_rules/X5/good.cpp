// SPDX-License-Identifier: Apache-2.0
// Each kernel has a part of the workspace for itself.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t kCount = 256; // floats of a block

extern "C" __global__ __vector__ void first(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace) {
    GlobalTensor<float> from, to, scratch;
    from.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * kCount, kCount);
    to.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * kCount, kCount);
    scratch.SetGlobalBuffer((__gm__ float*)workspace + GetBlockIdx() * kCount, kCount);
    LocalTensor<float> in(TPosition::VECIN, 0, kCount), out(TPosition::VECOUT, 1024, kCount);
    DataCopy(in, from, kCount);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(scratch, in, kCount);
    SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    DataCopy(in, scratch, kCount);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Add(out, in, in, kCount);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(to, out, kCount);
    SetNextTaskStart();
}

extern "C" __global__ __vector__ void second(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace) {
    GlobalTensor<float> from, to, scratch;
    from.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * kCount, kCount);
    to.SetGlobalBuffer((__gm__ float*)z + GetBlockIdx() * kCount, kCount);
    scratch.SetGlobalBuffer((__gm__ float*)workspace + (GetBlockNum() + GetBlockIdx()) * kCount, kCount);
    LocalTensor<float> in(TPosition::VECIN, 4096, kCount), out(TPosition::VECOUT, 5120, kCount);
    DataCopy(in, from, kCount);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID1);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID1);
    DataCopy(scratch, in, kCount);
    WaitPreTaskEnd();
    SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID1);
    WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID1);
    DataCopy(in, scratch, kCount);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID1);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID1);
    Add(out, in, in, kCount);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID1);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID1);
    DataCopy(to, out, kCount);
}
