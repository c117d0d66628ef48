// SPDX-License-Identifier: Apache-2.0
// A kernel with one call of the library, one of those that compile longest.
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void one_library_call(GM_ADDR x, GM_ADDR z, uint32_t rows) {
    TPipe pipe;
    TBuf<TPosition::VECCALC> in, out, numbers;
    pipe.InitBuffer(in, 32768);
    pipe.InitBuffer(out, 32768);
    pipe.InitBuffer(numbers, 8192);
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)x, rows * 1024);
    to.SetGlobalBuffer((__gm__ float*)z, rows * 1024);
    LocalTensor<float> given = in.Get<float>(), made = out.Get<float>(), lines = numbers.Get<float>();
    LayerNormTiling tiling{};
    tiling.bLength = 1;
    tiling.sLength = rows;
    tiling.hLength = tiling.originalHLength = 1024;
    DataCopy(given, from, rows * 1024);
    PipeBarrier<PIPE_ALL>();
    Duplicate(lines, 1.0f, 1024);
    LayerNorm(made, lines[1024], lines[1032], given, lines, lines, 1e-5f, tiling);
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, made, rows * 1024);
}
