// SPDX-License-Identifier: Apache-2.0
// Bursts, padding, atomics and scalar access, one kernel each.
#include "kernel_operator.h"
using namespace AscendC;

template <typename T> __aicore__ inline GlobalTensor<T> At(GM_ADDR address, uint64_t size = 0) {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer((__gm__ T*)address, size);
    return tensor;
}

// Rows of `width` halves into UB rows of whole blocks, padded on both sides, and the UB as it is then.
extern "C" __global__ __aicore__ void pad_rows(GM_ADDR x, GM_ADDR z, uint32_t rows, uint32_t width, uint32_t gap, uint32_t left, uint32_t right) {
    InitSocState();
    LocalTensor<half> ub(TPosition::VECIN, 0, 4096);
    Duplicate(ub, static_cast<half>(-1), 4096);
    PipeBarrier<PIPE_ALL>();
    const uint32_t bytes = width * sizeof(half);
    DataCopyExtParams params{static_cast<uint16_t>(rows), bytes, static_cast<uint32_t>(gap * sizeof(half)), 1, 0};
    DataCopyPadExtParams<half> pad{true, static_cast<uint8_t>(left), static_cast<uint8_t>(right), static_cast<half>(7)};
    DataCopyPad(ub, At<half>(x), params, pad);
    PipeBarrier<PIPE_ALL>();
    DataCopy(At<half>(z), ub, 4096);
}

// UB rows of whole blocks, one block apart, to GM rows of `width` halves with a gap.
extern "C" __global__ __aicore__ void unpad_rows(GM_ADDR x, GM_ADDR z, uint32_t rows, uint32_t width, uint32_t gap) {
    InitSocState();
    LocalTensor<half> ub(TPosition::VECIN, 0, 4096);
    DataCopy(ub, At<half>(x, 4096), 4096);
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(At<half>(z), ub, {static_cast<uint16_t>(rows), static_cast<uint32_t>(width * sizeof(half)), 1, static_cast<uint32_t>(gap * sizeof(half)), 0});
}

// Padding without isPad: the value of SetPadValue, where somebody called it.
template <typename T> __aicore__ void PadByRegister(GM_ADDR x, GM_ADDR z, uint32_t width, uint32_t left, uint32_t right, uint32_t set, T value) {
    InitSocState();
    LocalTensor<T> ub(TPosition::VECIN, 0, 1024);
    if (set) SetPadValue(value);
    const DataCopyExtParams params(1, width * sizeof(T), 0, 0, 0);
    DataCopyPad(ub, At<T>(x), params, DataCopyPadExtParams<T>{false, static_cast<uint8_t>(left), static_cast<uint8_t>(right), static_cast<T>(7)});
    if (set == 2) SetPadValue(static_cast<T>(9)); // too late for the copy before
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(At<T>(z), ub, DataCopyExtParams(1, (left + width + right) * sizeof(T), 0, 0, 0));
}
extern "C" __global__ __aicore__ void pad_by_register_half(GM_ADDR x, GM_ADDR z, uint32_t width, uint32_t left, uint32_t right, uint32_t set) {
    PadByRegister<half>(x, z, width, left, right, set, static_cast<half>(3));
}
extern "C" __global__ __aicore__ void pad_by_register_int(GM_ADDR x, GM_ADDR z, uint32_t width, uint32_t left, uint32_t right, uint32_t set) {
    PadByRegister<int32_t>(x, z, width, left, right, set, 3);
}
// The older form of the parameters.
extern "C" __global__ __aicore__ void pad_by_register_old(GM_ADDR x, GM_ADDR z, uint32_t width, uint32_t left, uint32_t right, uint32_t set) {
    InitSocState();
    LocalTensor<int16_t> ub(TPosition::VECIN, 0, 1024);
    if (set) SetPadValue(static_cast<int16_t>(3));
    const DataCopyParams params(1, width * sizeof(int16_t), 0, 0);
    DataCopyPad(ub, At<int16_t>(x), params, DataCopyPadParams{false, static_cast<uint8_t>(left), static_cast<uint8_t>(right), 7});
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(At<int16_t>(z), ub, DataCopyExtParams(1, (left + width + right) * sizeof(int16_t), 0, 0, 0));
}

extern "C" __global__ __aicore__ void filler(GM_ADDR x, GM_ADDR z, uint32_t width) {
    InitSocState();
    LocalTensor<half> ub(TPosition::VECIN, 0, 16);
    SetPadValue(static_cast<half>(3));
    DataCopyPad(ub, At<half>(x), DataCopyExtParams(1, width * sizeof(half), 0, 0, 0), DataCopyPadExtParams<half>{false, 0, 0, static_cast<half>(0)});
    PipeBarrier<PIPE_ALL>();
    DataCopy(At<half>(z), ub, 16);
}

// Blocks of 32 bytes with gaps, in, across the UB, and out.
extern "C" __global__ __aicore__ void blocks(GM_ADDR x, GM_ADDR z) {
    InitSocState();
    LocalTensor<int32_t> ub(TPosition::VECIN, 0, 64), other(TPosition::VECOUT, 256, 64);
    Duplicate(ub, 0, 64);
    Duplicate(other, 0, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(ub, At<int32_t>(x), DataCopyParams(2, 1, 1, 0)); // blocks 0 and 2 of x, side by side
    PipeBarrier<PIPE_ALL>();
    DataCopy(other, ub, DataCopyParams(2, 1, 0, 2)); // to blocks 0 and 3
    PipeBarrier<PIPE_ALL>();
    DataCopy(other[32], ub, 8);
    PipeBarrier<PIPE_ALL>();
    DataCopy(At<int32_t>(z), other, DataCopyParams(1, 8, 0, 0));
}

extern "C" __global__ __aicore__ void add_everywhere(GM_ADDR z) {
    InitSocState();
    LocalTensor<float> f(TPosition::VECOUT, 0, 32);
    Duplicate(f, static_cast<float>(GetBlockIdx() + 1), 32);
    PipeBarrier<PIPE_ALL>();
    SetAtomicAdd<float>();
    DataCopy(At<float>(z), f, 32);
    SetAtomicMax<float>();
    DataCopy(At<float>(z)[32], f, 32);
    SetAtomicNone();
    PipeBarrier<PIPE_ALL>();
}

template <typename T> __aicore__ inline void FillOne(GM_ADDR z, uint64_t size, T value) { InitGlobalMemory(At<T>(z), size, value); }
extern "C" __global__ __aicore__ void fill_gm(GM_ADDR z8, GM_ADDR z16, GM_ADDR z32, GM_ADDR z64, uint64_t size) {
    TPipe pipe;
    FillOne<int8_t>(z8, size, -3);
    FillOne<half>(z16, size, half(1.5));
    FillOne<int32_t>(z32, size, 0x12345678);
    FillOne<int64_t>(z64, size, 0x123456789abcdef0);
}

// Scalars of the core: reads, writes, elements on the left, half arithmetic.
extern "C" __global__ __aicore__ void scalars(GM_ADDR x, GM_ADDR z) {
    InitSocState();
    GlobalTensor<float> from = At<float>(x, 8), to = At<float>(z, 16);
    LocalTensor<float> ub(TPosition::VECCALC, 0, 16);
    Duplicate(ub, 0.0f, 16);
    ub.SetValue(0, from.GetValue(0));
    ub(1) = from(1);
    ub(1) += 1;
    ub(2) = ub(0) * ub(1);
    half third = half(1) / half(3);
    ub.SetValue(3, third);
    ub.SetValue(4, third * 3 + half(0.25));
    ub.SetValue(5, ub.ReinterpretCast<int32_t>().GetValue(0));
    ub[6].SetValue(0, ub.GetSize());
    ub.SetValue(7, ub[6].GetSize());
    ub.SetValue(8, sqrt(from.GetValue(2)));
    ub.SetValue(9, ScalarCast<float, int32_t, RoundMode::CAST_ROUND>(-2.5f));
    ub.SetValue(10, ScalarGetSFFValue<1>(0x50) + 100 * ScalarGetCountOfValue<0>(~0xffull) + 10000 * ScalarCountLeadingZero(1));
    ub.SetValue(11, ToFloat(ToBfloat16(1.01f)));
    ub.SetValue(12, CeilDivision(7, 2) + 100 * AlignUp(33, 32));
    for (int i = 0; i < 16; ++i) to.SetValue(i, ub.GetValue(i));
}

extern "C" __global__ __aicore__ void talks(GM_ADDR x) {
    InitSocState();
    printf("block %d of %u: %f %s %x %%\n", GetBlockIdx(), 3u, half(0.5), "text", 255);
    LocalTensor<int32_t> ub(TPosition::VECCALC, 0, 8);
    Duplicate(ub, 4, 8);
    PipeBarrier<PIPE_ALL>();
    DumpTensor(ub, 9, 8);
    const int64_t before = GetSystemCycle();
    assert(before > 0);
    ascendc_assert(GetSystemCycle() >= before, "the clock went back\n");
}

extern "C" __global__ __aicore__ void refuses(GM_ADDR x, int32_t value) {
    ascendc_assert(value < 10, "value is %d\n", value);
}
