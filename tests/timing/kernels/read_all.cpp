// SPDX-License-Identifier: Apache-2.0
// Every core reads the whole half matrix [m, n] past the L2, in tiles: all of them in the same order, or each from another place on.
#include "kernel_operator.h"

using namespace AscendC;

// Which of the parts comes at this turn.
__aicore__ inline uint32_t Part(uint32_t turn, uint32_t parts, bool apart) { return apart ? (turn + GetBlockIdx()) % parts : turn; }

extern "C" __global__ __aicore__ void read_all_ub(GM_ADDR x, uint32_t m, uint32_t n, uint32_t tile_m, uint32_t tile_n, uint32_t apart) {
    GlobalTensor<half> matrix;
    matrix.SetGlobalBuffer((__gm__ half*)x, static_cast<uint64_t>(m) * n);
    matrix.SetL2CacheHint(CacheMode::CACHE_MODE_DISABLE);
    LocalTensor<half> tile(TPosition::VECIN, 0, tile_m * tile_n);
    const DataCopyExtParams params(tile_m, tile_n * sizeof(half), (n - tile_n) * sizeof(half), 0, 0);
    for (uint32_t turn = 0; turn < m / tile_m; ++turn)
        for (uint32_t column = 0; column < n; column += tile_n)
            DataCopyPad(tile, matrix[static_cast<uint64_t>(Part(turn, m / tile_m, apart)) * tile_m * n + column], params,
                        DataCopyPadExtParams<half>());
}

extern "C" __global__ __aicore__ void read_all_l1(GM_ADDR x, uint32_t m, uint32_t n, uint32_t tile_m, uint32_t tile_n, uint32_t apart) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    GlobalTensor<half> matrix;
    matrix.SetGlobalBuffer((__gm__ half*)x, static_cast<uint64_t>(m) * n);
    matrix.SetL2CacheHint(CacheMode::CACHE_MODE_DISABLE);
    LocalTensor<half> tile(TPosition::A1, 0, tile_m * tile_n);
    const Nd2NzParams params(1, tile_m, tile_n, 0, n, tile_m, 1, 0);
    for (uint32_t turn = 0; turn < m / tile_m; ++turn)
        for (uint32_t column = 0; column < n; column += tile_n)
            DataCopy(tile, matrix[static_cast<uint64_t>(Part(turn, m / tile_m, apart)) * tile_m * n + column], params);
}
