// SPDX-License-Identifier: Apache-2.0
// Numbers that Ascend C has a name for, scalars, and what a kernel does with them.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"
using namespace AscendC;

template <typename T> __aicore__ inline GlobalTensor<T> At(GM_ADDR address) {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer((__gm__ T*)address);
    return tensor;
}

// z = each of `count` elements of x, eight times; count is rounded up to a whole repeat.
extern "C" __global__ __aicore__ void eight_times(GM_ADDR x, GM_ADDR z, uint32_t count) {
    const uint32_t aligned = AlignUp(count, B32_DATA_NUM_PER_REPEAT);
    LocalTensor<float> in(TPosition::VECIN, 0, aligned), out(TPosition::VECOUT, aligned * B32_BYTE_SIZE, aligned * BRCB_BROADCAST_NUMBER);
    DataCopy(in, At<float>(x), aligned);
    PipeBarrier<PIPE_ALL>();
    const uint32_t times = aligned / B32_DATA_NUM_PER_BLOCK;
    static_assert(BRCB_MAX_REPEAT_SIZE == MAX_REPEAT_TIMES * 8);
    Brcb(out, in, static_cast<uint8_t>(times), {DEFAULT_BLK_STRIDE, DEFAULT_REPEAT_STRIDE});
    PipeBarrier<PIPE_ALL>();
    DataCopy(At<float>(z), out,
             DataCopyParams(DEFAULT_DATA_COPY_NBURST, static_cast<uint16_t>(aligned * BRCB_BROADCAST_NUMBER / ONE_BLK_FLOAT_NUM),
                            DEFAULT_DATA_COPY_STRIDE, DEFAULT_DATA_COPY_STRIDE));
}

// z = x + x, in halves, by repeats of one mask and the rest of a row.
extern "C" __global__ __aicore__ void doubled_halves(GM_ADDR x, GM_ADDR z, uint32_t count) {
    LocalTensor<half> a(TPosition::VECIN, 0, count);
    DataCopy(a, At<half>(x), count);
    PipeBarrier<PIPE_ALL>();
    const uint32_t whole = count / ONE_REPEAT_HALF_SIZE;
    const BinaryRepeatParams params;
    Add(a, a, a, static_cast<uint64_t>(FULL_MASK_LEN), static_cast<int32_t>(whole), params);
    const uint64_t rest = count % B16_DATA_NUM_PER_REPEAT;
    if (rest) Add(a[whole * HALF_REPEAT_SIZE], a[whole * HALF_REPEAT_SIZE], a[whole * HALF_REPEAT_SIZE], rest, 1, params);
    PipeBarrier<PIPE_ALL>();
    DataCopy(At<half>(z), a, count);
}

template <typename T> __aicore__ inline void Absolute(GM_ADDR x, GM_ADDR z, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) ((__gm__ T*)z)[i] = abs(((__gm__ T*)x)[i]);
}
extern "C" __global__ __aicore__ void absolute_float(GM_ADDR x, GM_ADDR z, uint32_t count) { Absolute<float>(x, z, count); }
extern "C" __global__ __aicore__ void absolute_int32(GM_ADDR x, GM_ADDR z, uint32_t count) { Absolute<int32_t>(x, z, count); }
extern "C" __global__ __aicore__ void absolute_int64(GM_ADDR x, GM_ADDR z, uint32_t count) { Absolute<int64_t>(x, z, count); }

// z = x between two limits, and how many pieces of `size` it takes.
extern "C" __global__ __aicore__ void limited(GM_ADDR x, GM_ADDR z, GM_ADDR pieces, uint32_t count, int32_t low, int32_t high, uint32_t size) {
    for (uint32_t i = 0; i < count; ++i) {
        const int32_t value = ((__gm__ int32_t*)x)[i];
        ((__gm__ int32_t*)z)[i] = AscendC::Max(low, Min(value, high));
        ((__gm__ uint32_t*)pieces)[i] = matmul::CeilDiv(abs(value), size);
    }
}

// z = y + x scalar, twice: by Axpy, and by Muls and Add.
extern "C" __global__ __aicore__ void axpy_halves(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t count, float scalar) {
    LocalTensor<half> a(TPosition::VECIN, 0, count), once(TPosition::VECOUT, 8192, count), twice(TPosition::VECOUT, 16384, count);
    DataCopy(a, At<half>(x), count);
    DataCopy(once, At<half>(y), count);
    DataCopy(twice, At<half>(y), count);
    PipeBarrier<PIPE_ALL>();
    Axpy(once, a, static_cast<half>(scalar), count);
    Muls(a, a, static_cast<half>(scalar), count);
    PipeBarrier<PIPE_ALL>();
    Add(twice, twice, a, count);
    PipeBarrier<PIPE_ALL>();
    DataCopy(At<half>(z), once, count);
    DataCopy(At<half>(z)[count], twice, count);
}
