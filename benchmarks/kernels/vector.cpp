// SPDX-License-Identifier: Apache-2.0
// Vector calls on tiles that lie in the UB, n times each: contiguous, under masks, and with strides.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t COUNT = 8192; // elements; as many repeats as fit are worked on by the forms with masks and strides

template <typename T> struct Tiles {
    LocalTensor<T> x{TPosition::VECIN, 0, COUNT}, y{TPosition::VECIN, 65536, COUNT}, z{TPosition::VECOUT, 131072, COUNT};
    __aicore__ inline Tiles(GM_ADDR a, GM_ADDR b) {
        GlobalTensor<T> gm;
        gm.SetGlobalBuffer((__gm__ T*)a, COUNT);
        DataCopy(x, gm, COUNT);
        gm.SetGlobalBuffer((__gm__ T*)b, COUNT);
        DataCopy(y, gm, COUNT);
        PipeBarrier<PIPE_ALL>();
    }
    __aicore__ inline void out(GM_ADDR c) {
        GlobalTensor<T> gm;
        gm.SetGlobalBuffer((__gm__ T*)c, COUNT);
        PipeBarrier<PIPE_ALL>();
        DataCopy(gm, z, COUNT);
    }
};

#define KERNEL(name, T, ...)                                                                                                               \
    extern "C" __global__ __aicore__ void name(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t times) {                                          \
        Tiles<T> t(a, b);                                                                                                                  \
        for (uint32_t i = 0; i < times; i++) __VA_ARGS__;                                                                                  \
        t.out(c);                                                                                                                          \
    }
#define BOTH(name, ...)                                                                                                                    \
    KERNEL(name##_float, float, __VA_ARGS__)                                                                                               \
    KERNEL(name##_half, half, __VA_ARGS__)

BOTH(add, Add(t.z, t.x, t.y, COUNT))
BOTH(sub, Sub(t.z, t.x, t.y, COUNT))
BOTH(mul, Mul(t.z, t.x, t.y, COUNT))
BOTH(div, Div(t.z, t.x, t.y, COUNT))
BOTH(max, Max(t.z, t.x, t.y, COUNT))
BOTH(adds, Adds(t.z, t.x, (decltype(t.x.GetValue(0)))2, COUNT))
BOTH(muls, Muls(t.z, t.x, (decltype(t.x.GetValue(0)))2, COUNT))
BOTH(abs, Abs(t.z, t.x, COUNT))
BOTH(sqrt, Sqrt(t.z, t.x, COUNT))
BOTH(exp, Exp(t.z, t.x, COUNT))
BOTH(ln, Ln(t.z, t.x, COUNT))

// The same bytes in repeats: a full mask, one bit in two, the first 3 of 4 lanes, blocks with a gap, one source for all repeats.
template <typename T> constexpr uint64_t kLanes = 256 / sizeof(T);
constexpr uint64_t kEven[2] = {0x5555555555555555, 0x5555555555555555};
#define FORMS(name, T)                                                                                                                     \
    KERNEL(name##_full, T, Add(t.z, t.x, t.y, kLanes<T>, (uint8_t)(COUNT / kLanes<T> - 1), {1, 1, 1, 8, 8, 8}))                            \
    KERNEL(name##_bits, T, {                                                                                                               \
        uint64_t even[2] = {kEven[0], sizeof(T) == 2 ? kEven[1] : 0};                                                                      \
        Add(t.z, t.x, t.y, even, (uint8_t)(COUNT / kLanes<T> - 1), {1, 1, 1, 8, 8, 8});                                                    \
    })                                                                                                                                     \
    KERNEL(name##_lanes, T, Add(t.z, t.x, t.y, kLanes<T> * 3 / 4, (uint8_t)(COUNT / kLanes<T> - 1), {1, 1, 1, 8, 8, 8}))                   \
    KERNEL(name##_gaps, T, {                                                                                                               \
        Add(t.z, t.x, t.y, kLanes<T>, (uint8_t)(COUNT / kLanes<T> / 2 - 1), {2, 2, 2, 16, 16, 16});                                        \
        Add(t.z, t.x, t.y, kLanes<T>, (uint8_t)(COUNT / kLanes<T> / 2), {2, 2, 2, 16, 16, 16});                                            \
    })                                                                                                                                     \
    KERNEL(name##_one_source, T, Add(t.z, t.x, t.y, kLanes<T>, (uint8_t)(COUNT / kLanes<T> - 1), {1, 1, 1, 8, 8, 0}))
FORMS(forms_float, float)
FORMS(forms_half, half)

extern "C" __global__ __aicore__ void to_bfloat16(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t times) {
    Tiles<float> t(a, b);
    for (uint32_t i = 0; i < times; i++) Cast(t.z.ReinterpretCast<bfloat16_t>(), t.x, RoundMode::CAST_RINT, COUNT);
    t.out(c);
}
extern "C" __global__ __aicore__ void from_bfloat16(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t times) {
    Tiles<float> t(a, b);
    for (uint32_t i = 0; i < times; i++) Cast(t.z, t.x.ReinterpretCast<bfloat16_t>(), RoundMode::CAST_NONE, COUNT);
    t.out(c);
}
