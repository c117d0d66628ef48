// SPDX-License-Identifier: Apache-2.0
// An add that is wrong on purpose: nothing tells the vector unit that x and y have arrived. On an NPU this kernel never ends.
#include "kernel_operator.h"

constexpr uint32_t kLength = 1024; // elements

using AscendC::HardEvent;

extern "C" __global__ __aicore__ void broken_add(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    AscendC::InitSocState();
    AscendC::GlobalTensor<half> xGm, yGm, zGm;
    xGm.SetGlobalBuffer((__gm__ half*)x, kLength);
    yGm.SetGlobalBuffer((__gm__ half*)y, kLength);
    zGm.SetGlobalBuffer((__gm__ half*)z, kLength);
    AscendC::LocalTensor<half> xLocal(AscendC::TPosition::VECIN, 0, kLength);
    AscendC::LocalTensor<half> yLocal(AscendC::TPosition::VECIN, 1 * kLength * sizeof(half), kLength);
    AscendC::LocalTensor<half> zLocal(AscendC::TPosition::VECOUT, 2 * kLength * sizeof(half), kLength);

    AscendC::DataCopy(xLocal, xGm, kLength);
    AscendC::DataCopy(yLocal, yGm, kLength);
    // Missing here: AscendC::SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    AscendC::WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    AscendC::Add(zLocal, xLocal, yLocal, kLength);
    AscendC::SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    AscendC::WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    AscendC::DataCopy(zGm, zLocal, kLength);
}
