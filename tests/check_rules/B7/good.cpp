// SPDX-License-Identifier: Apache-2.0
// The floats have a place of their own.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t kCount = 256;

extern "C" __global__ __aicore__ void widen(GM_ADDR x, GM_ADDR z) {
    GlobalTensor<half> from;
    GlobalTensor<float> to;
    from.SetGlobalBuffer((__gm__ half*)x, kCount);
    to.SetGlobalBuffer((__gm__ float*)z, kCount);
    LocalTensor<half> in(TPosition::VECIN, 0, kCount);
    LocalTensor<float> out(TPosition::VECOUT, 1024, kCount);
    DataCopy(in, from, kCount);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Cast(out, in, RoundMode::CAST_NONE, kCount);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(to, out, kCount);
}
