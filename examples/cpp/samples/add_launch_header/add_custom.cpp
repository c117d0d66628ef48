// SPDX-License-Identifier: Apache-2.0
// z = x + y for half; one buffer and flags.
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void add_custom(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t length) {
    GlobalTensor<half> xGm, yGm, zGm;
    xGm.SetGlobalBuffer((__gm__ half*)x + GetBlockIdx() * length, length);
    yGm.SetGlobalBuffer((__gm__ half*)y + GetBlockIdx() * length, length);
    zGm.SetGlobalBuffer((__gm__ half*)z + GetBlockIdx() * length, length);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 3 * length * sizeof(half));
    LocalTensor<half> xLocal = buffer.Get<half>(), yLocal = xLocal[length], zLocal = xLocal[2 * length];
    DataCopy(xLocal, xGm, length);
    DataCopy(yLocal, yGm, length);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Add(zLocal, xLocal, yLocal, length);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(zGm, zLocal, length);
}
