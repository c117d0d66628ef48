// SPDX-License-Identifier: Apache-2.0
// Bits: of masks that lie in tensors of bytes, and of scalars by their raw intrinsics.
#include "kernel_operator.h"
using namespace AscendC;

template <typename T> __aicore__ inline GlobalTensor<T> At(GM_ADDR address) {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer((__gm__ T*)address);
    return tensor;
}

// z: x & y, x | y, ~x of `count` bytes; 512 bytes each.
template <typename T> __aicore__ inline void OfBytes(GM_ADDR x, GM_ADDR y, GM_ADDR z, int32_t count) {
    LocalTensor<T> a(TPosition::VECIN, 0, 512), b(TPosition::VECIN, 512, 512), d(TPosition::VECOUT, 1024, 1536);
    DataCopy(a, At<T>(x), 512);
    DataCopy(b, At<T>(y), 512);
    PipeBarrier<PIPE_ALL>();
    Duplicate(d.template ReinterpretCast<int16_t>(), static_cast<int16_t>(0), 768);
    PipeBarrier<PIPE_V>();
    And(d, a, b, count);
    Or(d[512], a, b, count);
    Not(d[1024], a, count);
    PipeBarrier<PIPE_ALL>();
    DataCopy(At<T>(z), d, 1536);
}
extern "C" __global__ __aicore__ void of_bytes(GM_ADDR x, GM_ADDR y, GM_ADDR z, int32_t count) { OfBytes<uint8_t>(x, y, z, count); }
extern "C" __global__ __aicore__ void of_signed_bytes(GM_ADDR x, GM_ADDR y, GM_ADDR z, int32_t count) { OfBytes<int8_t>(x, y, z, count); }

// The lanes of a repeat are 16 bits wide: a mask of 64 is 128 bytes of each 256.
extern "C" __global__ __aicore__ void by_repeats(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    LocalTensor<uint8_t> a(TPosition::VECIN, 0, 512), b(TPosition::VECIN, 512, 512), d(TPosition::VECOUT, 1024, 1536);
    DataCopy(a, At<uint8_t>(x), 512);
    DataCopy(b, At<uint8_t>(y), 512);
    PipeBarrier<PIPE_ALL>();
    Duplicate(d.ReinterpretCast<int16_t>(), static_cast<int16_t>(0), 768);
    PipeBarrier<PIPE_V>();
    And(d, a, b, 64, 2, {1, 1, 1, 8, 8, 8});
    uint64_t bits[2] = {0x5555555555555555, 0x5555555555555555};
    Or(d[512], a, b, bits, 2, {1, 1, 1, 8, 8, 8});
    Not(d[1024], a, static_cast<uint64_t>(64), 2, {1, 1, 8, 8});
    PipeBarrier<PIPE_ALL>();
    DataCopy(At<uint8_t>(z), d, 1536);
}

// z = x where it lies between low and high, else 0: two masks of Compare become one.
extern "C" __global__ __aicore__ void between(GM_ADDR x, GM_ADDR z, float low, float high) {
    LocalTensor<float> a(TPosition::VECIN, 0, 64), d(TPosition::VECOUT, 256, 64);
    LocalTensor<uint8_t> above(TPosition::VECCALC, 512, 8), below(TPosition::VECCALC, 544, 8), both(TPosition::VECCALC, 576, 8);
    DataCopy(a, At<float>(x), 64);
    PipeBarrier<PIPE_ALL>();
    CompareScalar(above, a, low, CMPMODE::GE, 64);
    CompareScalar(below, a, high, CMPMODE::LT, 64);
    PipeBarrier<PIPE_V>();
    And(both, above, below, 8);
    PipeBarrier<PIPE_V>();
    Select(d, both, a, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(At<float>(z), d, 64);
}

// For each word of x nine numbers; `bit` is set and cleared.
extern "C" __global__ __aicore__ void of_words(GM_ADDR x, GM_ADDR z, uint32_t count, int64_t bit) {
    auto out = (__gm__ int64_t*)z;
    for (uint32_t i = 0; i < count; ++i) {
        const uint64_t word = ((__gm__ uint64_t*)x)[i];
        *out++ = static_cast<int64_t>(sbitset0(word, bit));
        *out++ = static_cast<int64_t>(sbitset1(word, bit));
        *out++ = bcnt0(word);
        *out++ = bcnt1(word);
        *out++ = sff0(word);
        *out++ = sff1(word);
        *out++ = clz(word);
        *out++ = sflbits(static_cast<int64_t>(word));
        *out++ = Max(bcnt0(word), bcnt1(word)) - AscendC::Min(bcnt0(word), bcnt1(word));
    }
}

// The CTRL register by bits: 60000 doubled in half stays infinite under bit 48; under bit 56 the mask is a number of elements.
extern "C" __global__ __aicore__ void control(GM_ADDR z) {
    InitSocState();
    LocalTensor<half> a(TPosition::VECCALC, 0, 128);
    auto out = (__gm__ float*)z;
    const uint64_t before = get_ctrl();
    Duplicate(a, half(60000), 128);
    set_ctrl(sbitset0(before, 48));
    Add(a, a, a, 128);
    out[0] = a.GetValue(0);
    out[1] = static_cast<float>(get_ctrl() >> 48 & 1);
    set_ctrl(sbitset1(get_ctrl(), CTRL_48_BIT));
    Add(a, a, a, 128);
    out[2] = a.GetValue(0);
    out[3] = static_cast<float>(get_ctrl() >> 48 & 1);
    set_ctrl(sbitset1(get_ctrl(), 56));
    out[4] = static_cast<float>(get_ctrl() >> 56 & 1);
    set_vector_mask(0, 5);
    Duplicate<half, false>(a, half(1), MASK_PLACEHOLDER, 1, 1, 8);
    set_ctrl(sbitset0(get_ctrl(), 56));
    out[5] = static_cast<float>(a.GetValue(4)) * 10 + (static_cast<float>(a.GetValue(5)) > 100);
    SetHF32Mode(true);
    out[6] = static_cast<float>(get_ctrl() >> CTRL_46_BIT & 3);
    set_ctrl(before);
    out[7] = get_ctrl() == before;
}

// What two blocks tell each other through global memory: a value, then a flag.
extern "C" __global__ __aicore__ void through_memory(GM_ADDR z) {
    PRELOAD(2);
    auto out = (__gm__ int32_t*)z;
    if (GetBlockIdx() == 0) {
        out[0] = 7;
        dcci((__gm__ uint64_t*)out, SINGLE_CACHE_LINE, CACHELINE_OUT);
        dsb(DSB_ALL);
    }
    SyncAll();
    dcci((__gm__ void*)out, 0);
    dcci((__gm__ void*)0, cache_line_t::ENTIRE_DATA_CACHE, dcci_dst_t::CACHELINE_OUT);
    const pad_t none = PAD_NONE;
    if (GetBlockIdx() == 1) out[16] = out[0] + none + static_cast<int32_t>((pad_t)3);
}

#ifndef __aarch64__
static_assert(sizeof(__fp16) == 2 && IsSameType<__fp16, half>::value);
#endif
