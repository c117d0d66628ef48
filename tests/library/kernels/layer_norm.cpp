// SPDX-License-Identifier: Apache-2.0
// LayerNorm in both forms, DeepNorm and RmsNorm. More: rows, columns, pitch. Form 0 has scratch, form 1 takes the free UB.
#include "image.h"

template <class Tiling> __aicore__ inline Tiling Shape(const Image& image) {
    Tiling tiling = {};
    tiling.bLength = 1;
    tiling.sLength = image.place.more[0];
    tiling.originalHLength = image.place.more[1];
    tiling.hLength = image.place.more[2];
    return tiling;
}
template <typename T> constexpr float EPSILON = sizeof(T) == 4 ? 1e-5f : 1e-3f;

#define VARIANCE_FORM(T)                                                                                                                   \
    extern "C" __global__ __aicore__ void LayerNorm_##T(GM_ADDR bytes, GM_ADDR places) {                                                   \
        Image image(bytes, places);                                                                                                        \
        LayerNormTiling tiling = Shape<LayerNormTiling>(image);                                                                            \
        const auto y = image.Tensor<T>(0), mean = image.Tensor<T>(1), variance = image.Tensor<T>(2), x = image.Tensor<T>(3),               \
                   gamma = image.Tensor<T>(4), beta = image.Tensor<T>(5);                                                                  \
        const T epsilon = EPSILON<T>;                                                                                                      \
        if (image.place.form == 0) LayerNorm<T, false>(y, mean, variance, x, gamma, beta, image.Tensor<uint8_t>(6), epsilon, tiling);      \
        else LayerNorm<T>(y, mean, variance, x, gamma, beta, epsilon, tiling);                                                             \
    }
VARIANCE_FORM(float)
VARIANCE_FORM(half)

constexpr LayerNormConfig PLAIN = {true, true, false, false};
constexpr LayerNormConfig NO_BETA = {true, false, false, true};

#define RSTD_FORM(name, U, T, ...)                                                                                                         \
    extern "C" __global__ __aicore__ void name(GM_ADDR bytes, GM_ADDR places) {                                                            \
        Image image(bytes, places);                                                                                                        \
        const LayerNormPara para = {image.place.more[0], image.place.more[1], image.place.more[2]};                                        \
        const LayerNormSeparateTiling tiling = {};                                                                                         \
        const auto y = image.Tensor<T>(0), x = image.Tensor<T>(3);                                                                         \
        const auto mean = image.Tensor<float>(1), rstd = image.Tensor<float>(2);                                                           \
        const auto gamma = image.Tensor<U>(4), beta = image.Tensor<U>(5);                                                                  \
        if (image.place.form == 0)                                                                                                         \
            LayerNorm<U, T, false __VA_ARGS__>(y, mean, rstd, x, gamma, beta, EPSILON<T>, image.Tensor<uint8_t>(6), para, tiling);         \
        else LayerNorm<U, T, false __VA_ARGS__>(y, mean, rstd, x, gamma, beta, EPSILON<T>, para, tiling);                                  \
    }
RSTD_FORM(Rstd_float_float, float, float)
RSTD_FORM(Rstd_half_half, half, half)
RSTD_FORM(Rstd_float_half, float, half)
RSTD_FORM(Plain_float_float, float, float, , PLAIN)
RSTD_FORM(NoBeta_float_half, float, half, , NO_BETA)

#define RMS_NORM(T)                                                                                                                        \
    extern "C" __global__ __aicore__ void RmsNorm_##T(GM_ADDR bytes, GM_ADDR places) {                                                     \
        Image image(bytes, places);                                                                                                        \
        const RmsNormTiling tiling = Shape<RmsNormTiling>(image);                                                                          \
        const auto y = image.Tensor<T>(0), x = image.Tensor<T>(1), gamma = image.Tensor<T>(2);                                             \
        const T epsilon = EPSILON<T>;                                                                                                      \
        if (image.place.form == 0) RmsNorm<T, false>(y, x, gamma, image.Tensor<uint8_t>(3), epsilon, tiling);                              \
        else RmsNorm(y, x, gamma, epsilon, tiling);                                                                                        \
    }
RMS_NORM(float)
RMS_NORM(half)

#define DEEP_NORM(name, T, reuse)                                                                                                          \
    extern "C" __global__ __aicore__ void name##_##T(GM_ADDR bytes, GM_ADDR places) {                                                      \
        Image image(bytes, places);                                                                                                        \
        DeepNormTiling tiling = Shape<DeepNormTiling>(image);                                                                              \
        const auto y = image.Tensor<T>(0), mean = image.Tensor<T>(1), rstd = image.Tensor<T>(2), x = image.Tensor<T>(3),                   \
                   gx = image.Tensor<T>(4), beta = image.Tensor<T>(5), gamma = image.Tensor<T>(6);                                         \
        const T alpha = 0.75f, epsilon = EPSILON<T>;                                                                                       \
        if (image.place.form == 0)                                                                                                         \
            DeepNorm<T, reuse>(y, mean, rstd, x, gx, beta, gamma, image.Tensor<uint8_t>(7), alpha, epsilon, tiling);                       \
        else DeepNorm<T, reuse, false>(y, mean, rstd, x, gx, beta, gamma, alpha, epsilon, tiling);                                         \
    }
DEEP_NORM(DeepNorm, float, false)
DEEP_NORM(DeepNorm, half, false)
DEEP_NORM(DeepNormReuse, float, true)
