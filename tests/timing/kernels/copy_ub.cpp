// SPDX-License-Identifier: Apache-2.0
// Reads a half matrix [m, n] into the UB and does nothing with it: tiles of tile_m rows and tile_n columns, rows shared by the blocks.
// The columns are read in `parts`, each part `times` times before the next.
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void copy_ub(GM_ADDR x, uint32_t m, uint32_t n, uint32_t tile_m, uint32_t tile_n, uint32_t parts,
                                              uint32_t times) {
    const uint32_t rows = m / GetBlockNum(), first = rows * GetBlockIdx(), width = n / parts;
    GlobalTensor<half> matrix;
    matrix.SetGlobalBuffer((__gm__ half*)x, static_cast<uint64_t>(m) * n);
    LocalTensor<half> tile(TPosition::VECIN, 0, tile_m * tile_n);
    for (uint32_t part = 0; part < parts; ++part) {
        const uint32_t end = part + 1 == parts ? n : (part + 1) * width;
        for (uint32_t time = 0; time < times; ++time)
            for (uint32_t row = first; row < first + rows; row += tile_m)
                for (uint32_t column = part * width; column < end; column += tile_n) {
                    const uint32_t columns = end - column < tile_n ? end - column : tile_n;
                    DataCopyExtParams params(tile_m, columns * sizeof(half), (n - columns) * sizeof(half), 0, 0);
                    DataCopyPad(tile, matrix[static_cast<uint64_t>(row) * n + column], params, DataCopyPadExtParams<half>());
                }
    }
}
