// SPDX-License-Identifier: Apache-2.0
// Normalize, LayerNormGrad, LayerNormGradBeta, WelfordUpdate, WelfordFinalize. Form 0 has scratch, form 1 takes the free UB.
#include "image.h"

template <class Tiling> __aicore__ inline Tiling Shape(const Image& image) {
    Tiling tiling = {};
    tiling.bLength = 1;
    tiling.sLength = image.place.more[0];
    tiling.originalHLength = image.place.more[1];
    tiling.hLength = image.place.more[2];
    return tiling;
}

constexpr NormalizeConfig BARE = {ReducePattern::AR, -1, true, true, false};

#define NORMALIZE(name, U, T, ...)                                                                                                         \
    extern "C" __global__ __aicore__ void name(GM_ADDR bytes, GM_ADDR places) {                                                            \
        Image image(bytes, places);                                                                                                        \
        const NormalizePara para = {image.place.more[0], image.place.more[1], image.place.more[2]};                                        \
        const auto y = image.Tensor<T>(0), x = image.Tensor<T>(4);                                                                         \
        const auto rstd = image.Tensor<float>(1), mean = image.Tensor<float>(2), variance = image.Tensor<float>(3);                        \
        const auto gamma = image.Tensor<U>(5), beta = image.Tensor<U>(6);                                                                  \
        if (image.place.form == 0)                                                                                                         \
            Normalize<U, T, false __VA_ARGS__>(y, rstd, mean, variance, x, gamma, beta, image.Tensor<uint8_t>(7), 1e-3f, para);            \
        else Normalize<U, T, false __VA_ARGS__>(y, rstd, mean, variance, x, gamma, beta, 1e-3f, para);                                     \
    }
NORMALIZE(Normalize_float_float, float, float)
NORMALIZE(Normalize_half_half, half, half)
NORMALIZE(Normalize_float_half, float, half)
NORMALIZE(NormalizeBare_float_float, float, float, , BARE)

#define NORM_GRAD(T)                                                                                                                       \
    extern "C" __global__ __aicore__ void LayerNormGrad_##T(GM_ADDR bytes, GM_ADDR places) {                                               \
        Image image(bytes, places);                                                                                                        \
        LayerNormGradTiling tiling = Shape<LayerNormGradTiling>(image);                                                                    \
        const auto dx = image.Tensor<T>(0), normalised = image.Tensor<T>(1), dy = image.Tensor<T>(2), x = image.Tensor<T>(3),              \
                   variance = image.Tensor<T>(4), mean = image.Tensor<T>(5), gamma = image.Tensor<T>(6);                                   \
        const T epsilon = 1e-3f;                                                                                                           \
        if (image.place.form == 0) {                                                                                                       \
            auto tmp = image.Tensor<uint8_t>(7);                                                                                           \
            LayerNormGrad<T, false>(dx, normalised, dy, x, variance, mean, gamma, tmp, epsilon, tiling, {DataFormat::ND});                 \
        } else {                                                                                                                           \
            LayerNormGrad(dx, normalised, dy, x, variance, mean, gamma, epsilon, tiling);                                                  \
        }                                                                                                                                  \
    }                                                                                                                                      \
    extern "C" __global__ __aicore__ void LayerNormGradBeta_##T(GM_ADDR bytes, GM_ADDR places) {                                           \
        Image image(bytes, places);                                                                                                        \
        LayerNormGradBetaTiling tiling = Shape<LayerNormGradBetaTiling>(image);                                                            \
        const auto dgamma = image.Tensor<T>(0), dbeta = image.Tensor<T>(1), normalised = image.Tensor<T>(2), dy = image.Tensor<T>(3);      \
        if (image.place.form == 0) LayerNormGradBeta<T, false>(dgamma, dbeta, normalised, dy, image.Tensor<uint8_t>(4), tiling);           \
        else LayerNormGradBeta(dgamma, dbeta, normalised, dy, tiling);                                                                     \
    }
NORM_GRAD(float)
NORM_GRAD(half)

constexpr WelfordUpdateConfig COPIES = {true};
#define WELFORD(name, T, ...)                                                                                                              \
    extern "C" __global__ __aicore__ void name(GM_ADDR bytes, GM_ADDR places) {                                                            \
        Image image(bytes, places);                                                                                                        \
        const WelfordUpdateParam para = {1, image.place.more[0], image.place.more[1], 1.0f / static_cast<float>(image.place.more[2])};     \
        const auto mean = image.Tensor<float>(0), sum = image.Tensor<float>(1), in_mean = image.Tensor<float>(2),                          \
                   in_sum = image.Tensor<float>(3);                                                                                        \
        const auto x = image.Tensor<T>(4);                                                                                                 \
        if (image.place.form == 0)                                                                                                         \
            WelfordUpdate<T, float, false __VA_ARGS__>(mean, sum, in_mean, in_sum, x, image.Tensor<uint8_t>(5), para);                     \
        else WelfordUpdate<T, float, false __VA_ARGS__>(mean, sum, in_mean, in_sum, x, para);                                              \
    }
WELFORD(WelfordUpdate_float, float)
WELFORD(WelfordUpdate_half, half)
WELFORD(WelfordUpdateCopies_half, half, , COPIES)

// More: rnLength, headCount, headCountLength, tailCount, bits of rRec. Tensor 4: counts, or scratch where there are none.
constexpr WelfordFinalizeConfig CORRECTED = {true};
#define FINALIZE(name, ...)                                                                                                                \
    extern "C" __global__ __aicore__ void name(GM_ADDR bytes, GM_ADDR places) {                                                            \
        Image image(bytes, places);                                                                                                        \
        const uint32_t n = image.place.count, *more = image.place.more, bits = more[4];                                                    \
        float rec;                                                                                                                         \
        __builtin_memcpy(&rec, &bits, 4);                                                                                                  \
        WelfordFinalizePara para = {                                                                                                       \
            more[0], n, more[1], more[2], more[3], more[2] ? n - more[2] : 0, 1.0f / static_cast<float>(n), rec, rec * 1.5f};              \
        const auto mean = image.Tensor<float>(0), variance = image.Tensor<float>(1), means = image.Tensor<float>(2),                       \
                   sums = image.Tensor<float>(3);                                                                                          \
        const auto counts = image.Tensor<int32_t>(4);                                                                                      \
        switch (image.place.form) {                                                                                                        \
        case 0: return WelfordFinalize __VA_ARGS__(mean, variance, means, sums, counts, image.Tensor<uint8_t>(5), para);                   \
        case 1: return WelfordFinalize __VA_ARGS__(mean, variance, means, sums, counts, para);                                             \
        case 2: return WelfordFinalize __VA_ARGS__(mean, variance, means, sums, image.Tensor<uint8_t>(4), para);                           \
        default: return WelfordFinalize __VA_ARGS__(mean, variance, means, sums, para);                                                    \
        }                                                                                                                                  \
    }
FINALIZE(WelfordFinalize_plain, )
FINALIZE(WelfordFinalize_corrected, <false, CORRECTED>)
