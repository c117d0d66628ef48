// SPDX-License-Identifier: Apache-2.0
// z = 2 x, for the tests of the installed package.
#include "kernel_operator.h"

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR z) {
    AscendC::GlobalTensor<half> xGm, zGm;
    xGm.SetGlobalBuffer((__gm__ half*)x, 256);
    zGm.SetGlobalBuffer((__gm__ half*)z, 256);
    AscendC::TPipe pipe;
    AscendC::TQueBind<AscendC::TPosition::VECIN, AscendC::TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, 512);
    AscendC::LocalTensor<half> local = queue.AllocTensor<half>();
    AscendC::DataCopy(local, xGm, 256);
    AscendC::SetFlag<AscendC::HardEvent::MTE2_V>(EVENT_ID0);
    AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>(EVENT_ID0);
    AscendC::Add(local, local, local, 256);
    AscendC::SetFlag<AscendC::HardEvent::V_MTE3>(EVENT_ID0);
    AscendC::WaitFlag<AscendC::HardEvent::V_MTE3>(EVENT_ID0);
    AscendC::DataCopy(zGm, local, 256);
    queue.FreeTensor(local);
}
