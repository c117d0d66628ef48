// SPDX-License-Identifier: Apache-2.0
// The matrix unit may begin before L0A and L0B are loaded.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t kSide = 16, kCount = kSide * kSide; // one fractal of half

extern "C" __global__ __cube__ void square(GM_ADDR x, GM_ADDR z) {
    GlobalTensor<half> from;
    GlobalTensor<float> to;
    from.SetGlobalBuffer((__gm__ half*)x, kCount);
    to.SetGlobalBuffer((__gm__ float*)z, kCount);
    LocalTensor<half> a1(TPosition::A1, 0, kCount), a2(TPosition::A2, 0, kCount), b2(TPosition::B2, 0, kCount);
    LocalTensor<float> c(TPosition::CO1, 0, kCount);
    DataCopy(a1, from, kCount);
    SetFlag<HardEvent::MTE2_MTE1>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE1>(EVENT_ID0);
    LoadData(a2, a1, LoadData2DParams(0, 1, 1, 0, 0, false, 0));
    LoadData(b2, a1, LoadData2DParams(0, 1, 1, 0, 0, true, 0));
    Mmad(c, a2, b2, MmadParams(kSide, kSide, kSide, 0, false, true));
    SetFlag<HardEvent::M_FIX>(EVENT_ID0);
    WaitFlag<HardEvent::M_FIX>(EVENT_ID0);
    Fixpipe<float, float, CFG_ROW_MAJOR>(to, c, FixpipeParamsV220(kSide, kSide, kSide, kSide, false));
}
