// SPDX-License-Identifier: Apache-2.0
// Elements of tensors, t(i), where a scalar is wanted.
#include "kernel_operator.h"
using namespace AscendC;

template <typename T> __aicore__ inline float Halved(T value) { return static_cast<float>(value) / 2; }
__aicore__ inline float Doubled(float value) { return value * 2; }

// x: T in global memory; f: floats; z: what became of the first two of each.
template <typename T> __aicore__ inline void Elements(GM_ADDR x, GM_ADDR f, GM_ADDR z) {
    GlobalTensor<T> in;
    GlobalTensor<float> floats;
    in.SetGlobalBuffer((__gm__ T*)x);
    floats.SetGlobalBuffer((__gm__ float*)f);
    LocalTensor<T> t(TPosition::VECCALC, 0, 32);
    t(0) = in(0);
    t(1) = in(1);
    t(2) = floats(0);
    t(3) = static_cast<T>(floats(1));
    auto out = (__gm__ float*)z;
    out[0] = static_cast<float>(t(0));
    float implicit = t(1);
    out[1] = implicit;
    out[2] = static_cast<float>(static_cast<T>(t(0) + t(1)));
    out[3] = t(0) * 2.5f;
    out[4] = t(0) + 1;
    out[5] = (t(0) < t(1)) + 2 * (t(0) == t(0)) + 4 * (t(1) >= 100) + 8 * (0.0f != t(1));
    out[6] = static_cast<float>(static_cast<int32_t>(t(0)));
    out[7] = -t(0);
    const T copy(t(0)), assigned = t(1);
    out[8] = static_cast<float>(copy - assigned);
    out[9] = t(2);
    out[10] = static_cast<float>(t(3));
    out[11] = Halved(t(0)) + Doubled(in(1));
    t(3) += t(0);
    t(3) *= 2;
    out[12] = t(3);
    out[13] = t(0) > T(0) ? t(0) : 0.0f;
    out[14] = static_cast<double>(in(0)) + static_cast<uint8_t>(t(1));
    out[15] = 3 - t(0) / t(1);
}
extern "C" __global__ __aicore__ void of_half(GM_ADDR x, GM_ADDR f, GM_ADDR z) { Elements<half>(x, f, z); }
extern "C" __global__ __aicore__ void of_bfloat16(GM_ADDR x, GM_ADDR f, GM_ADDR z) { Elements<bfloat16_t>(x, f, z); }
extern "C" __global__ __aicore__ void of_float(GM_ADDR x, GM_ADDR f, GM_ADDR z) { Elements<float>(x, f, z); }
extern "C" __global__ __aicore__ void to_float(GM_ADDR x, GM_ADDR z) {
    GlobalTensor<bfloat16_t> in;
    in.SetGlobalBuffer((__gm__ bfloat16_t*)x);
    *(__gm__ float*)z = AscendC::Cast(in(0)) + ToFloat(in(1));
}
