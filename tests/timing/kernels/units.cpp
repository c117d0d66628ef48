// SPDX-License-Identifier: Apache-2.0
// One unit alone: the vector unit with Adds of 4096 floats at chosen addresses of the UB, and the cube with Mmads of 512 cycles.
#include "kernel_operator.h"

using namespace AscendC;

// block and repeat: strides of the first source.
extern "C" __global__ __aicore__ void vector_alone(uint32_t x, uint32_t y, uint32_t z, uint32_t block, uint32_t repeat, uint32_t times) {
    constexpr uint32_t elements = 4096, lanes = 64;
    LocalTensor<float> a(TPosition::VECIN, x, elements), b(TPosition::VECIN, y, elements), c(TPosition::VECOUT, z, elements);
    for (uint32_t i = 0; i < times; ++i)
        Add(c, a, b, lanes, elements / lanes, {1, static_cast<uint8_t>(block), 1, 8, static_cast<uint8_t>(repeat), 8});
}

// One instruction by itself on tensors in the same bank, as cost models are fitted: `what` it is, of so many repeats of half or float.
template <typename T> __aicore__ inline void One(uint32_t what, uint32_t repeats) {
    constexpr uint32_t lanes = 256 / sizeof(T);
    const auto count = static_cast<uint8_t>(repeats);
    LocalTensor<T> a(TPosition::VECIN, 0, lanes * repeats), b(TPosition::VECIN, 0x4000, lanes * repeats),
        c(TPosition::VECOUT, 0x8000, lanes * repeats);
    const BinaryRepeatParams two(1, 1, 1, 8, 8, 8);
    const UnaryRepeatParams one(1, 1, 8, 8);
    switch (what) {
    case 0: return Exp(c, a, static_cast<uint64_t>(lanes), count, one);
    case 1: return Ln(c, a, static_cast<uint64_t>(lanes), count, one);
    case 2: return Sqrt(a, a, static_cast<uint64_t>(lanes), count, one);
    case 3: return Rsqrt(c, a, static_cast<uint64_t>(lanes), count, one);
    case 4: return Add(c, a, b, static_cast<uint64_t>(lanes), count, two);
    case 5: return Mul(c, a, b, static_cast<uint64_t>(lanes), count, two);
    case 6: return Div(c, a, b, static_cast<uint64_t>(lanes), count, two);
    case 7: return Adds(c, a, static_cast<T>(1), static_cast<uint64_t>(lanes), count, one);
    case 8: return Muls(c, a, static_cast<T>(2), static_cast<uint64_t>(lanes), count, one);
    case 9: return Mins(c, a, static_cast<T>(2), static_cast<uint64_t>(lanes), count, one);
    case 10: return WholeReduceSum(c, a, static_cast<int32_t>(lanes), repeats, 1, 1, 8);
    case 11: return WholeReduceMax(c, a, static_cast<int32_t>(lanes), repeats, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
    }
}

extern "C" __global__ __aicore__ void vector_once(uint32_t what, uint32_t wide, uint32_t repeats) {
    if (wide) One<float>(what, repeats);
    else One<half>(what, repeats);
}

// 256 floats to one sum, 100 times, each step behind the one before: twice by repeats, three times by blocks, by blocks and by repeats.
extern "C" __global__ __aicore__ void sum_of_256(uint32_t way) {
    LocalTensor<float> x(TPosition::VECCALC, 0, 256), t(TPosition::VECCALC, 0x1000, 256), z(TPosition::VECCALC, 0x2000, 64);
    for (uint32_t i = 0; i < 100; ++i) {
        SetMaskCount();
        SetVectorMask<float, MaskMode::COUNTER>(0, 256);
        if (way == 0) WholeReduceSum<float, false>(t, x, MASK_PLACEHOLDER, 1, 1, 1, 8);
        else BlockReduceSum<float, false>(t, x, 1, MASK_PLACEHOLDER, 1, 1, 8);
        PipeBarrier<PIPE_V>();
        SetVectorMask<float, MaskMode::COUNTER>(0, way == 0 ? 4 : 32);
        if (way == 1) BlockReduceSum<float, false>(t, t, 1, MASK_PLACEHOLDER, 1, 1, 8);
        else WholeReduceSum<float, false>(z, t, MASK_PLACEHOLDER, 1, 1, 1, 8);
        PipeBarrier<PIPE_V>();
        if (way == 1) {
            SetVectorMask<float, MaskMode::COUNTER>(0, 4);
            BlockReduceSum<float, false>(z, t, 1, MASK_PLACEHOLDER, 1, 1, 8);
            PipeBarrier<PIPE_V>();
        }
        SetMaskNorm();
    }
    ResetMask();
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
