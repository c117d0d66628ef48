// SPDX-License-Identifier: Apache-2.0
// DataCopyPad moves any number of bytes.
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
    DataCopyPad(to, out, DataCopyExtParams(1, kCount * sizeof(float), 0, 0, 0));
}
