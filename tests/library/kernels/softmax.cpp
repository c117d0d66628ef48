// SPDX-License-Identifier: Apache-2.0
// The soft-max family. Words behind the places: srcM, srcK, oriSrcM, oriSrcK, and what a call takes besides. form 0 has scratch, 2 has
// none.
#include "image.h"

constexpr SoftmaxConfig DENSE = {true, 0, 0, SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC};
constexpr SoftmaxConfig CONSTANT = {false, 9, 40, SoftmaxMode::SOFTMAX_NORMAL};

__aicore__ inline SoftMaxShapeInfo ShapeOf(const Image& image) {
    const uint32_t* more = image.place.more;
    return {more[0], more[1], more[2], more[3]};
}

template <typename T, typename S, bool nz, const SoftmaxConfig& config> __aicore__ inline void Plain(Image& image) {
    const auto z = image.Tensor<T>(0), x = image.Tensor<T>(3);
    const auto sum = image.Tensor<S>(1), max = image.Tensor<S>(2);
    SoftMaxTiling tiling{}; // wrong on purpose: the shape rules
    tiling.srcM = 3;
    tiling.srcK = 8;
    if (image.place.form == 0) SoftMax<T, false, false, nz, config>(z, sum, max, x, image.Tensor<uint8_t>(4), tiling, ShapeOf(image));
    else SoftMax<T, false, false, nz, config>(z, sum, max, x, tiling, ShapeOf(image));
}
#define PLAIN(name, T, S, nz, config)                                                                                                      \
    extern "C" __global__ __aicore__ void name(GM_ADDR bytes, GM_ADDR places) {                                                            \
        Image image(bytes, places);                                                                                                        \
        Plain<T, S, nz, config>(image);                                                                                                    \
    }
PLAIN(softmax_float, float, float, false, SOFTMAX_DEFAULT_CFG)
PLAIN(softmax_half, half, half, false, SOFTMAX_DEFAULT_CFG)
PLAIN(softmax_mixed, half, float, false, SOFTMAX_DEFAULT_CFG)
PLAIN(softmax_float_nz, float, float, true, SOFTMAX_DEFAULT_CFG)
PLAIN(softmax_half_nz, half, half, true, SOFTMAX_DEFAULT_CFG)
PLAIN(softmax_float_dense, float, float, false, DENSE)
PLAIN(softmax_half_dense, half, half, false, DENSE)
PLAIN(softmax_constant, float, float, false, CONSTANT)

// Without a shape: the tiling's. Tensors: destination, source, scratch.
extern "C" __global__ __aicore__ void softmax_alone(GM_ADDR bytes, GM_ADDR places) {
    Image image(bytes, places);
    SoftMaxTiling tiling{};
    tiling.srcM = image.place.more[0];
    tiling.srcK = image.place.more[1];
    if (image.place.form == 0) SoftMax(image.Tensor<float>(0), image.Tensor<float>(1), image.Tensor<uint8_t>(2), tiling);
    else SoftMax(image.Tensor<float>(0), image.Tensor<float>(1), tiling);
}

#define SIMPLE(name, T, S, nz)                                                                                                             \
    extern "C" __global__ __aicore__ void name(GM_ADDR bytes, GM_ADDR places) {                                                            \
        Image image(bytes, places);                                                                                                        \
        const auto z = image.Tensor<T>(0), x = image.Tensor<T>(3);                                                                         \
        const auto sum = image.Tensor<S>(1), max = image.Tensor<S>(2);                                                                     \
        if (image.place.form == 0) SimpleSoftMax<T, false, false, nz>(z, sum, max, x, image.Tensor<uint8_t>(4), {}, ShapeOf(image));         \
        else SimpleSoftMax<T, false, false, nz>(z, sum, max, x, {}, ShapeOf(image));                                                         \
    }
SIMPLE(simple_float, float, float, false)
SIMPLE(simple_mixed, half, float, false)
SIMPLE(simple_half_nz, half, half, true)

#define LOGARITHM(name, T, nz)                                                                                                             \
    extern "C" __global__ __aicore__ void name(GM_ADDR bytes, GM_ADDR places) {                                                            \
        Image image(bytes, places);                                                                                                        \
        LogSoftMax<T, false, nz>(image.Tensor<T>(0), image.Tensor<T>(1), image.Tensor<T>(2), image.Tensor<T>(3), image.Tensor<uint8_t>(4), \
                                 {}, ShapeOf(image));                                                                                        \
    }
LOGARITHM(log_float, float, false)
LOGARITHM(log_half, half, false)
LOGARITHM(log_float_nz, float, true)

// Tensors: destination, source, gradient, scratch. more[4]: isFront.
#define GRAD(name, T, nz)                                                                                                                  \
    extern "C" __global__ __aicore__ void name(GM_ADDR bytes, GM_ADDR places) {                                                            \
        Image image(bytes, places);                                                                                                        \
        const auto z = image.Tensor<T>(0), x = image.Tensor<T>(1), grad = image.Tensor<T>(2);                                              \
        const bool front = image.place.more[4] == 1;                                                                                       \
        if (image.place.more[4] == 2) {                                                                                                    \
            if (image.place.form == 0) SoftmaxGradFront<T, false, nz>(z, grad, x, image.Tensor<uint8_t>(3), {}, ShapeOf(image));             \
            else SoftmaxGradFront<T, false, nz>(z, grad, x, {}, ShapeOf(image));                                                             \
        } else if (image.place.form == 0) {                                                                                                \
            SoftmaxGrad<T, false, nz>(z, grad, x, image.Tensor<uint8_t>(3), {}, front, ShapeOf(image));                                      \
        } else {                                                                                                                           \
            SoftmaxGrad<T, false, nz>(z, grad, x, {}, front, ShapeOf(image));                                                                \
        }                                                                                                                                  \
    }
GRAD(grad_float, float, false)
GRAD(grad_half, half, false)
GRAD(grad_half_nz, half, true)

// Tensors: result, maxima, and one word for the answer. more[4]: the bits to look for.
template <typename T, typename S, bool nz, uint8_t step> __aicore__ inline void Adjust(GM_ADDR bytes, GM_ADDR places) {
    Image image(bytes, places);
    const bool found =
        AdjustSoftMaxRes<T, S, nz, step>(image.Tensor<T>(0), image.Tensor<S>(1), image.place.more[4], static_cast<T>(0.5f), ShapeOf(image));
    image.Tensor<uint32_t>(2).SetValue(0, found);
}
extern "C" __global__ __aicore__ void adjust_float(GM_ADDR bytes, GM_ADDR places) { Adjust<float, float, false, 0>(bytes, places); }
extern "C" __global__ __aicore__ void adjust_mixed_dense(GM_ADDR bytes, GM_ADDR places) { Adjust<half, float, false, 1>(bytes, places); }
extern "C" __global__ __aicore__ void adjust_half_nz(GM_ADDR bytes, GM_ADDR places) { Adjust<half, half, true, 0>(bytes, places); }
