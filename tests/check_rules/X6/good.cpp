// SPDX-License-Identifier: Apache-2.0
// The kernel itself waits for the pipes before it makes a second TPipe.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t kCount = 256; // floats of a block

extern "C" __global__ __vector__ void first(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * 2 * kCount, 2 * kCount);
    to.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * 2 * kCount, 2 * kCount);
    {
        TPipe pipe;
        TBuf<TPosition::VECCALC> buffer;
        pipe.InitBuffer(buffer, kCount * sizeof(float));
        LocalTensor<float> left = buffer.Get<float>();
        DataCopy(left, from, kCount);
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
        Add(left, left, left, kCount);
        SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
        DataCopy(to, left, kCount);
    }
    PipeBarrier<PIPE_ALL>();
    {
        TPipe pipe;
        TBuf<TPosition::VECCALC> buffer;
        pipe.InitBuffer(buffer, kCount * sizeof(float));
        LocalTensor<float> right = buffer.Get<float>();
        DataCopy(right, from[kCount], kCount);
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
        Add(right, right, right, kCount);
        SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
        DataCopy(to[kCount], right, kCount);
    }
}

extern "C" __global__ __vector__ void second(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * 2 * kCount, 2 * kCount);
    to.SetGlobalBuffer((__gm__ float*)z + GetBlockIdx() * 2 * kCount, 2 * kCount);
    LocalTensor<float> in(TPosition::VECIN, 0, 2 * kCount), out(TPosition::VECOUT, 2048, 2 * kCount);
    DataCopy(in, from, 2 * kCount);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Add(out, in, in, 2 * kCount);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(to, out, 2 * kCount);
}
