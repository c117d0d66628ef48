// SPDX-License-Identifier: Apache-2.0
// One unit alone: the vector unit with Adds of 4096 floats at chosen addresses of the UB, and the cube with Mmads of 512 cycles.
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void vector_alone(uint32_t x, uint32_t y, uint32_t z, uint32_t times) {
    constexpr uint32_t elements = 4096, lanes = 64;
    LocalTensor<float> a(TPosition::VECIN, x, elements), b(TPosition::VECIN, y, elements), c(TPosition::VECOUT, z, elements);
    for (uint32_t i = 0; i < times; ++i) Add(c, a, b, lanes, elements / lanes, {1, 1, 1, 8, 8, 8});
}

// 128 x 256 x 64: 8 * 16 * 4 steps of 16 x 16 x 16.
extern "C" __global__ __aicore__ void cube_alone(uint32_t multiplications) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    constexpr uint32_t m = 128, n = 256, k = 64;
    LocalTensor<half> a(TPosition::A2, 0, m * k), b(TPosition::B2, 0, n * k);
    LocalTensor<float> c(TPosition::CO1, 0, m * n);
    MmadParams params;
    params.m = m;
    params.n = n;
    params.k = k;
    for (uint32_t i = GetBlockIdx(); i < multiplications; i += GetBlockNum()) Mmad(c, a, b, params);
}
