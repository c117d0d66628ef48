// SPDX-License-Identifier: Apache-2.0
// The result lies one block behind the source, inside the same repeat: what is read there may be old or new.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t kCount = 256; // floats of a block

extern "C" __global__ __aicore__ void shifted(GM_ADDR x, GM_ADDR z) {
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * kCount, kCount);
    to.SetGlobalBuffer((__gm__ float*)z + GetBlockIdx() * kCount, kCount);
    LocalTensor<float> in(TPosition::VECIN, 0, kCount), out(TPosition::VECOUT, 1024, kCount);
    DataCopy(in, from, kCount);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Add(in[8], in, in, kCount - 8);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(to, in[8], kCount - 8);
}
