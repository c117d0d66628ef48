// SPDX-License-Identifier: Apache-2.0
// z from x, of which whole blocks are read. way 0: element by element, those that are there; 1: the sum of all that was read; 2: element by
// element, and whole blocks are written.
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void rest_of_block(GM_ADDR x, GM_ADDR z, uint32_t count, uint32_t way) {
    GlobalTensor<float> xGm, zGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    zGm.SetGlobalBuffer((__gm__ float*)z);
    LocalTensor<float> in(TPosition::VECCALC, 0, 64), out(TPosition::VECCALC, 256, 64), work(TPosition::VECCALC, 512, 64);
    const uint32_t rounded = (count + 7) / 8 * 8;
    DataCopy(in, xGm, rounded);
    PipeBarrier<PIPE_ALL>();
    if (way == 1) ReduceSum(out, in, work, rounded);
    else Adds(out, in, 1.0f, rounded);
    PipeBarrier<PIPE_ALL>();
    const uint32_t kept = way == 1 ? 1 : count;
    if (way == 2) DataCopy(zGm, out, rounded);
    else DataCopyPad(zGm, out, DataCopyExtParams(1, static_cast<uint32_t>(kept * sizeof(float)), 0, 0, 0));
}
