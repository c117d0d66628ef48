// SPDX-License-Identifier: Apache-2.0
// Reads a half matrix [m, n] into L1 in fractal order (Nd2Nz) and does nothing with it: tiles of tile_m rows and tile_n columns, rows
// shared by the blocks. The columns are read in `parts`, each part `times` times before the next.
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void copy_l1(GM_ADDR x, uint32_t m, uint32_t n, uint32_t tile_m, uint32_t tile_n, uint32_t parts,
                                              uint32_t times) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    const uint32_t rows = m / GetBlockNum(), first = rows * GetBlockIdx(), width = n / parts;
    GlobalTensor<half> matrix;
    matrix.SetGlobalBuffer((__gm__ half*)x, static_cast<uint64_t>(m) * n);
    LocalTensor<half> tile(TPosition::A1, 0, tile_m * tile_n);
    Nd2NzParams params;
    params.ndNum = 1;
    params.nValue = tile_m;
    params.srcDValue = n;
    params.dstNzC0Stride = tile_m;
    params.dstNzNStride = 1;
    for (uint32_t part = 0; part < parts; ++part)
        for (uint32_t time = 0; time < times; ++time)
            for (uint32_t row = first; row < first + rows; row += tile_m)
                for (uint32_t column = part * width; column < (part + 1) * width; column += tile_n) {
                    params.dValue = (part + 1) * width - column < tile_n ? (part + 1) * width - column : tile_n;
                    DataCopy(tile, matrix[static_cast<uint64_t>(row) * n + column], params);
                }
}
