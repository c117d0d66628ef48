// SPDX-License-Identifier: Apache-2.0
// 512 copies of 32 bytes.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t kCount = 4096; // floats

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR z) {
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)x, kCount);
    to.SetGlobalBuffer((__gm__ float*)z, kCount);
    LocalTensor<float> in(TPosition::VECIN, 0, kCount), out(TPosition::VECOUT, 65536, kCount);
    for (uint32_t i = 0; i < kCount; i += 8) DataCopy(in[i], from[i], 8);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Muls(out, in, 2.0f, kCount);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(to, out, kCount);
}
