// SPDX-License-Identifier: Apache-2.0
// The rows begin 32 bytes behind a multiple of 512 in global memory.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t kHead = 8;     // floats before the row
constexpr uint32_t kCount = 4096; // floats

extern "C" __global__ __aicore__ void behind_the_head(GM_ADDR x, GM_ADDR z) {
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)x + kHead, kCount);
    to.SetGlobalBuffer((__gm__ float*)z, kCount);
    LocalTensor<float> in(TPosition::VECIN, 0, kCount), out(TPosition::VECOUT, 65536, kCount);
    DataCopy(in, from, kCount);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Muls(out, in, 2.0f, kCount);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(to, out, kCount);
}
