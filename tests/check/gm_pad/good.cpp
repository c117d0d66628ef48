// SPDX-License-Identifier: Apache-2.0
// The last row is as long as what is left.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kLength = 1024; // floats of x and of z
constexpr uint32_t kRow = 341;     // floats of a row: three rows, and one float more

extern "C" __global__ __aicore__ void gm_pad(GM_ADDR x, GM_ADDR z) {
    GlobalTensor<float> xGm, zGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    zGm.SetGlobalBuffer((__gm__ float*)z);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, (kRow + 8) * sizeof(float));
    LocalTensor<float> local = buffer.Get<float>();
    for (uint32_t at = 0; at < kLength; at += kRow) {
        const uint32_t count = at + kRow <= kLength ? kRow : kLength - at;
        const DataCopyExtParams row{1, static_cast<uint32_t>(count * sizeof(float)), 0, 0, 0};
        DataCopyPad(local, xGm[at], row, DataCopyPadExtParams<float>{false, 0, 0, 0});
        PipeBarrier<PIPE_ALL>();
        Add(local, local, local, count);
        PipeBarrier<PIPE_ALL>();
        DataCopyPad(zGm[at], local, row);
        PipeBarrier<PIPE_ALL>();
    }
}
