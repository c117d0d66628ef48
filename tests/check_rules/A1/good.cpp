// SPDX-License-Identifier: Apache-2.0
// The second source lies 256 bytes further: each repeat takes one cycle.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t kCount = 4096; // floats

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR z) {
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)x, kCount);
    to.SetGlobalBuffer((__gm__ float*)z, kCount);
    LocalTensor<float> a(TPosition::VECIN, 0, kCount), b(TPosition::VECIN, 16384 + 256, kCount), out(TPosition::VECOUT, 65536, kCount);
    DataCopy(a, from, kCount);
    DataCopy(b, from, kCount);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Add(out, a, b, kCount);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(to, out, kCount);
}
