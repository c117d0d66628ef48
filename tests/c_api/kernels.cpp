// SPDX-License-Identifier: Apache-2.0
// Kernels for the tests of the C API.
#include "kernel_operator.h"

// out[i] = first + i * step
extern "C" __global__ __vector__ void fill(GM_ADDR out, int32_t first, uint8_t step, uint32_t count) {
    AscendC::GlobalTensor<int32_t> target;
    target.SetGlobalBuffer((__gm__ int32_t*)out, count);
    for (uint32_t i = 0; i < count; ++i) target.SetValue(i, first + int32_t(i) * step);
}

// out[i] = table[i], where the table travels with the arguments
extern "C" __global__ __vector__ void copy_table(GM_ADDR out, GM_ADDR table, uint32_t count) {
    AscendC::GlobalTensor<int32_t> source, target;
    source.SetGlobalBuffer((__gm__ int32_t*)table, count);
    target.SetGlobalBuffer((__gm__ int32_t*)out, count);
    for (uint32_t i = 0; i < count; ++i) target.SetValue(i, source.GetValue(i));
}

// As an operator: inputs, outputs, the workspace, then what the selector set.
extern "C" __global__ __vector__ void copy_operator(GM_ADDR in, GM_ADDR out, GM_ADDR workspace, uint32_t count) {
    AscendC::GlobalTensor<int32_t> source, target, between;
    source.SetGlobalBuffer((__gm__ int32_t*)in, count);
    target.SetGlobalBuffer((__gm__ int32_t*)out, count);
    between.SetGlobalBuffer((__gm__ int32_t*)workspace, count);
    for (uint32_t i = 0; i < count; ++i) between.SetValue(i, source.GetValue(i));
    for (uint32_t i = 0; i < count; ++i) target.SetValue(i, between.GetValue(i));
}

extern "C" __global__ __vector__ void forever(GM_ADDR out) { for (volatile int i = 0;; i = i + 1); }

extern "C" __global__ __vector__ void breaks(GM_ADDR out) { AscendC::Trap(); }

// Two scalars between pointers: y[i] = x[i] * scale + shift
extern "C" __global__ __vector__ void scale_and_shift(GM_ADDR x, int32_t scale, int32_t shift, GM_ADDR y) {
    AscendC::GlobalTensor<int32_t> source, target;
    source.SetGlobalBuffer((__gm__ int32_t*)x, 16);
    target.SetGlobalBuffer((__gm__ int32_t*)y, 16);
    for (uint32_t i = 0; i < 16; ++i) target.SetValue(i, source.GetValue(i) * scale + shift);
}

extern "C" __global__ __vector__ void widths(int8_t a, int16_t b, int64_t c, int32_t d, GM_ADDR out) {
    AscendC::GlobalTensor<int64_t> target;
    target.SetGlobalBuffer((__gm__ int64_t*)out, 4);
    target.SetValue(0, a);
    target.SetValue(1, b);
    target.SetValue(2, c);
    target.SetValue(3, d);
}
