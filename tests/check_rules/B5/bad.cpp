// SPDX-License-Identifier: Apache-2.0
// 100 bytes are no whole number of blocks: hardware moves 96 of them.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t kCount = 25; // floats

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR z) {
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)x, kCount);
    to.SetGlobalBuffer((__gm__ float*)z, kCount);
    LocalTensor<float> in(TPosition::VECIN, 0, 32), out(TPosition::VECOUT, 1024, 32);
    DataCopyPad(in, from, DataCopyExtParams(1, kCount * sizeof(float), 0, 0, 0), DataCopyPadExtParams<float>(false, 0, 0, 0));
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Add(out, in, in, kCount);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(to, out, kCount);
}
