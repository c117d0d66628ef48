// Small kernels for chains, as vector, cube and mixed kernels, with and without the two calls of early start. Core i adds `step` to row
// (i + shift) % rows of `in` and writes row i of `out`: a core reads what others wrote, so an order that is missing shows in the result.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t kWords = 16;

template <bool waits, bool sets>
__aicore__ inline void Vector(GM_ADDR in, GM_ADDR out, int32_t step, uint32_t shift, uint32_t rows, int64_t index) {
    GlobalTensor<int32_t> from, to;
    from.SetGlobalBuffer((__gm__ int32_t*)in + (index + shift) % rows * kWords, kWords);
    to.SetGlobalBuffer((__gm__ int32_t*)out + index * kWords, kWords);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inputs;
    TQue<TPosition::VECOUT, 1> outputs;
    pipe.InitBuffer(inputs, 1, kWords * sizeof(int32_t));
    pipe.InitBuffer(outputs, 1, kWords * sizeof(int32_t));
    if constexpr (waits) WaitPreTaskEnd();
    LocalTensor<int32_t> x = inputs.AllocTensor<int32_t>();
    DataCopy(x, from, kWords);
    inputs.EnQue(x);
    x = inputs.DeQue<int32_t>();
    LocalTensor<int32_t> y = outputs.AllocTensor<int32_t>();
    Adds(y, x, step, kWords);
    outputs.EnQue(y);
    inputs.FreeTensor(x);
    y = outputs.DeQue<int32_t>();
    DataCopy(to, y, kWords);
    if constexpr (sets) SetNextTaskStart();
    outputs.FreeTensor(y);
}

template <bool waits, bool sets>
__aicore__ inline void Cube(GM_ADDR in, GM_ADDR out, int32_t step, uint32_t shift, uint32_t rows, int64_t index) {
    GlobalTensor<int32_t> from, to;
    from.SetGlobalBuffer((__gm__ int32_t*)in + (index + shift) % rows * kWords, kWords);
    to.SetGlobalBuffer((__gm__ int32_t*)out + index * kWords, kWords);
    if constexpr (waits) WaitPreTaskEnd();
    for (uint32_t i = 0; i < kWords; ++i) to.SetValue(i, from.GetValue(i) + step);
    PipeBarrier<PIPE_ALL>();
    if constexpr (sets) SetNextTaskStart();
}

#define VECTOR(name, waits, sets)                                                                                                          \
    extern "C" __global__ __vector__ void name(GM_ADDR in, GM_ADDR out, int32_t step, uint32_t shift, uint32_t rows) {                     \
        Vector<waits, sets>(in, out, step, shift, rows, GetBlockIdx());                                                                    \
    }
VECTOR(v, false, false)
VECTOR(v_set, false, true)
VECTOR(v_wait, true, false)
VECTOR(v_both, true, true)

#define CUBE(name, waits, sets)                                                                                                            \
    extern "C" __global__ __cube__ void name(GM_ADDR in, GM_ADDR out, int32_t step, uint32_t shift, uint32_t rows) {                       \
        Cube<waits, sets>(in, out, step, shift, rows, GetBlockIdx());                                                                      \
    }
CUBE(c, false, false)
CUBE(c_set, false, true)
CUBE(c_wait, true, false)
CUBE(c_both, true, true)

// The AIC takes one half of the block's words to `out`, its AIVs the other, and they tell each other through flags 1 and 2. The last bit of
// `step` says who goes first, the AIC or the AIVs, the next one who takes which half: so there are pairs where nothing but the SuperKernel
// orders an AIV behind the AICs of the kernel before, and pairs the other way round. Two AIVs share their half: without the second one, a
// quarter is missing.
template <uint32_t aivs, bool waits, bool sets>
__aicore__ inline void Mixed(GM_ADDR in, GM_ADDR out, int32_t step, uint32_t shift, uint32_t rows) {
    constexpr uint32_t kHalf = kWords / 2, kShare = g_coreType == AIC ? kHalf : kHalf / aivs;
    const bool odd = step % 2 != 0, swapped = step / 2 % 2 != 0;
    const uint32_t part = g_coreType == AIV && aivs == 2 ? GetSubBlockIdx() * kShare : 0;
    const uint32_t begin = ((g_coreType == AIC) == swapped ? kHalf : 0) + part;
    const int64_t block = g_coreType == AIC ? GetBlockIdx() : GetBlockIdx() / GetTaskRatio();
    GlobalTensor<int32_t> from, to;
    from.SetGlobalBuffer((__gm__ int32_t*)in + (block + shift) % rows * kWords, kWords);
    to.SetGlobalBuffer((__gm__ int32_t*)out + block * kWords, kWords);
    const auto work = [&]() {
        for (uint32_t i = begin; i < begin + kShare; ++i) to.SetValue(i, from.GetValue(i) + step);
        PipeBarrier<PIPE_ALL>();
    };
    if constexpr (waits) WaitPreTaskEnd();
    if ASCEND_IS_AIC {
        if (!odd) work();
        CrossCoreSetFlag<2, PIPE_FIX>(1);
        CrossCoreWaitFlag(2);
        if (odd) work();
    } else {
        if (odd) work();
        CrossCoreSetFlag<2, PIPE_MTE3>(2);
        CrossCoreWaitFlag(1);
        if (!odd) work();
    }
    if constexpr (sets) SetNextTaskStart();
}

#define MIXED(name, aivs, waits, sets)                                                                                                     \
    extern "C" __global__ __mix__(1, aivs) void name(GM_ADDR in, GM_ADDR out, int32_t step, uint32_t shift, uint32_t rows) {               \
        Mixed<aivs, waits, sets>(in, out, step, shift, rows);                                                                              \
    }
MIXED(m1, 1, false, false)
MIXED(m1_set, 1, false, true)
MIXED(m1_wait, 1, true, false)
MIXED(m1_both, 1, true, true)
MIXED(m2, 2, false, false)
MIXED(m2_set, 2, false, true)
MIXED(m2_wait, 2, true, false)
MIXED(m2_both, 2, true, true)
