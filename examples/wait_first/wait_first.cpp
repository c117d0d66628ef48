// SPDX-License-Identifier: Apache-2.0
// z = 2 * (x + y), written backwards: the store is issued first, then the arithmetic, and the copies they wait for come last. Issuing is
// not executing: each pipe is a queue of its own, and a wait stops only the pipe it stands in. So this is a legal kernel.
#include "kernel_operator.h"

constexpr uint32_t kLength = 1024; // elements

using AscendC::HardEvent;

extern "C" __global__ __aicore__ void wait_first(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    AscendC::InitSocState();
    AscendC::GlobalTensor<float> xGm, yGm, zGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, kLength);
    yGm.SetGlobalBuffer((__gm__ float*)y, kLength);
    zGm.SetGlobalBuffer((__gm__ float*)z, kLength);
    AscendC::LocalTensor<float> xLocal(AscendC::TPosition::VECIN, 0, kLength);
    AscendC::LocalTensor<float> yLocal(AscendC::TPosition::VECIN, 1 * kLength * sizeof(float), kLength);
    AscendC::LocalTensor<float> zLocal(AscendC::TPosition::VECOUT, 2 * kLength * sizeof(float), kLength);

    // MTE3: stops at once, nothing has been computed yet.
    AscendC::WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    AscendC::DataCopy(zGm, zLocal, kLength);

    // V: stops at once, nothing has arrived yet.
    AscendC::WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    AscendC::WaitFlag<HardEvent::MTE2_V>(EVENT_ID1);
    AscendC::Add(zLocal, xLocal, yLocal, kLength);
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Muls(zLocal, zLocal, 2.0f, kLength);
    AscendC::SetFlag<HardEvent::V_MTE3>(EVENT_ID0);

    // MTE2: has nothing to wait for. Everything above goes on when these two copies are complete.
    AscendC::DataCopy(xLocal, xGm, kLength);
    AscendC::SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    AscendC::DataCopy(yLocal, yGm, kLength);
    AscendC::SetFlag<HardEvent::MTE2_V>(EVENT_ID1);
}
