// SPDX-License-Identifier: Apache-2.0
// BatchNorm: more is B and S * H. GroupNorm: more is N, C, H * W, groups, elements of a channel. Form 0 has scratch.
#include "image.h"

#define NORMS(T)                                                                                                                           \
    extern "C" __global__ __aicore__ void BatchNorm_##T(GM_ADDR bytes, GM_ADDR places) {                                                   \
        Image image(bytes, places);                                                                                                        \
        BatchNormTiling tiling = {};                                                                                                       \
        tiling.originalBLength = image.place.more[0];                                                                                      \
        tiling.meanVarSize = image.place.more[1];                                                                                          \
        RUN(BatchNorm, T)                                                                                                                  \
    }                                                                                                                                      \
    extern "C" __global__ __aicore__ void GroupNorm_##T(GM_ADDR bytes, GM_ADDR places) {                                                   \
        Image image(bytes, places);                                                                                                        \
        GroupNormTiling tiling = {};                                                                                                       \
        tiling.n = image.place.more[0];                                                                                                    \
        tiling.c = image.place.more[1];                                                                                                    \
        tiling.hw = image.place.more[2];                                                                                                   \
        tiling.g = image.place.more[3];                                                                                                    \
        tiling.d = tiling.c / tiling.g;                                                                                                    \
        tiling.hwAlignSize = image.place.more[4];                                                                                          \
        RUN(GroupNorm, T)                                                                                                                  \
    }
#define RUN(call, T)                                                                                                                       \
    const auto y = image.Tensor<T>(0), mean = image.Tensor<T>(1), variance = image.Tensor<T>(2), x = image.Tensor<T>(3),                   \
               gamma = image.Tensor<T>(4), beta = image.Tensor<T>(5);                                                                      \
    const T epsilon = 1e-3f;                                                                                                               \
    if (image.place.form == 0) call<T, false>(y, mean, variance, x, gamma, beta, image.Tensor<uint8_t>(6), epsilon, tiling);               \
    else call(y, mean, variance, x, gamma, beta, epsilon, tiling);
NORMS(float)
NORMS(half)
