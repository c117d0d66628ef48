// SPDX-License-Identifier: Apache-2.0
// The next round may overwrite the row before it has been written out.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t kCount = 256, kRows = 4; // floats of a row, rows of a block

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR z) {
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * kRows * kCount, kRows * kCount);
    to.SetGlobalBuffer((__gm__ float*)z + GetBlockIdx() * kRows * kCount, kRows * kCount);
    LocalTensor<float> in(TPosition::VECIN, 0, kRows * kCount), out(TPosition::VECOUT, 8192, kCount);
    DataCopy(in, from, kRows * kCount);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    for (uint32_t row = 0; row < kRows; row++) {
        Add(out, in[row * kCount], in[row * kCount], kCount);
        SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
        DataCopy(to[row * kCount], out, kCount);
    }
}
