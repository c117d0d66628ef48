// SPDX-License-Identifier: Apache-2.0
// Sum and Mean: more is outter, inner, n. Reductions with a pattern: more is the shape. Form 0 has scratch, form 1 takes the free UB.
#include "image.h"

#define ROW_CALL(name, T, Params, ...)                                                                                                     \
    extern "C" __global__ __aicore__ void name(GM_ADDR bytes, GM_ADDR places) {                                                            \
        Image image(bytes, places);                                                                                                        \
        const Params params = {image.place.more[0], image.place.more[1], image.place.more[2]};                                             \
        const auto z = image.Tensor<T>(0), x = image.Tensor<T>(1);                                                                         \
        if (image.place.form == 0) __VA_ARGS__(z, x, image.Tensor<uint8_t>(2), params);                                                    \
        else __VA_ARGS__(z, x, params);                                                                                                    \
    }
ROW_CALL(Sum_float, float, SumParams, Sum<float>)
ROW_CALL(Sum_half, half, SumParams, Sum<half, -1, false, false>)
ROW_CALL(Mean_float, float, MeanParams, Mean<float>)
ROW_CALL(Mean_half, half, MeanParams, Mean<half>)
ROW_CALL(Mean_half_float, half, MeanParams, Mean<half, float, false, false, -1>)

#define PATTERN(call, T, pattern)                                                                                                          \
    extern "C" __global__ __aicore__ void call##_##T##_##pattern(GM_ADDR bytes, GM_ADDR places) {                                          \
        Image image(bytes, places);                                                                                                        \
        const uint32_t shape[] = {image.place.more[0], image.place.more[1]};                                                               \
        const auto z = image.Tensor<T>(0), x = image.Tensor<T>(1);                                                                         \
        if (image.place.form == 0) call<T, Pattern::Reduce::pattern>(z, x, image.Tensor<uint8_t>(2), shape, true);                         \
        else call<T, AscendC::Pattern::Reduce::pattern, false>(z, x, shape, true);                                                         \
    }
#define BOTH(call, T) PATTERN(call, T, AR) PATTERN(call, T, RA)
BOTH(ReduceSum, float)
BOTH(ReduceMean, float)
BOTH(ReduceProd, float)
BOTH(ReduceMax, float)
BOTH(ReduceMin, float)
BOTH(ReduceMax, half)
BOTH(ReduceMin, half)
BOTH(ReduceAny, float)
BOTH(ReduceAll, float)
BOTH(ReduceAny, uint8_t)
BOTH(ReduceAll, uint8_t)

extern "C" __global__ __aicore__ void ReduceXorSum_int16_t(GM_ADDR bytes, GM_ADDR places) {
    Image image(bytes, places);
    auto z = image.Tensor<int16_t>(0);
    const auto x = image.Tensor<int16_t>(1), y = image.Tensor<int16_t>(2);
    if (image.place.form == 0) ReduceXorSum<int16_t>(z, x, y, image.Tensor<uint8_t>(3), image.place.count);
    else ReduceXorSum(z, x, y, image.place.count);
}
