// SPDX-License-Identifier: Apache-2.0
// The C API: an addition in each way of waiting, with arrays in UB.
#include <cstdint>

#include "c_api/asc_simd.h"

constexpr uint32_t TILE = 256, C_API_ONE_REPEAT_BYTE_SIZE = 256;

__global__ __vector__ void add_sync(__gm__ float* x, __gm__ float* y, __gm__ float* z) {
    asc_init();
    __ubuf__ float xLocal[TILE];
    __ubuf__ float yLocal[TILE], zLocal[TILE];
    const int64_t start = asc_get_block_idx() * TILE;
    asc_copy_gm2ub(xLocal, x + start, sizeof(xLocal));
    asc_copy_gm2ub(yLocal, y + start, TILE * sizeof(float));
    asc_sync();
    asc_add(zLocal, xLocal, yLocal, TILE);
    asc_sync();
    asc_copy_ub2gm(z + start, zLocal, sizeof zLocal);
}

__global__ __vector__ void add_flags(__gm__ float* x, __gm__ float* y, __gm__ float* z) {
    asc_init();
    for (int64_t i = asc_get_block_idx(); i < 2; i += asc_get_block_num()) {
        __ubuf__ float xLocal[TILE], yLocal[TILE];
        asc_copy_gm2ub(xLocal, x + i * TILE, 1, TILE / 8, 0, 0);
        asc_copy_gm2ub(yLocal, y + i * TILE, 1, TILE / 8, 0, 0);
        asc_sync_notify(PIPE_MTE2, PIPE_V, EVENT_ID0);
        asc_sync_wait(PIPE_MTE2, PIPE_V, EVENT_ID0);
        asc_add(yLocal, xLocal, yLocal, TILE * sizeof(float) / C_API_ONE_REPEAT_BYTE_SIZE, 1, 1, 1, 8, 8, 8);
        asc_sync_notify(PIPE_V, PIPE_MTE3, EVENT_ID0);
        asc_sync_wait(PIPE_V, PIPE_MTE3, EVENT_ID0);
        asc_copy_ub2gm(z + i * TILE, yLocal, 1, TILE / 8, 0, 0);
        asc_sync_pipe(PIPE_MTE3);
        asc_sync();
    }
}

__global__ __vector__ void add_waiting(__gm__ half* x, __gm__ half* y, __gm__ half* z) {
    asc_init();
    __ubuf__ half first[TILE];
    { __ubuf__ half inner[TILE]; asc_copy_gm2ub_sync(inner, y, TILE * sizeof(half)); }
    __ubuf__ half again[TILE]; // where inner was
    asc_copy_gm2ub_sync(first, x, TILE * sizeof(half));
    asc_add_sync(again, first, again, TILE);
    asc_copy_ub2gm_sync(z, again, TILE * sizeof(half));
}

__global__ __vector__ void part_of_a_block(__gm__ float* x) {
    __ubuf__ float local[TILE];
    asc_copy_gm2ub(local, x, 100);
}
