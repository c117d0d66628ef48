// SPDX-License-Identifier: Apache-2.0
// A kernel without a host: somebody else launches it.
#include "kernel_operator.h"

extern "C" __global__ __aicore__ void leaky_relu(GM_ADDR x, uint32_t length, float slope) {
    AscendC::GlobalTensor<float> gm;
    gm.SetGlobalBuffer((__gm__ float*)x, length);
    AscendC::TPipe pipe;
    AscendC::TBuf<AscendC::TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, length * sizeof(float));
    AscendC::LocalTensor<float> local = buffer.Get<float>();
    AscendC::DataCopy(local, gm, length);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::LeakyRelu(local, local, slope, length);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::DataCopy(gm, local, length);
}
