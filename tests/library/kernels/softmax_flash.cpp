// SPDX-License-Identifier: Apache-2.0
// Soft-max in pieces. Words behind the places: srcM, srcK, oriSrcM, oriSrcK, isUpdate, loopCnt. form 0 has scratch, 2 has none.
#include "image.h"

constexpr SoftmaxConfig DENSE = {true, 0, 0, SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC};

// Tensors: destination, expSum, max, source, expMax, scratch. Sums and maxima of the pieces before stand where the new ones go.
template <typename T, typename S, bool update, bool nz, const SoftmaxConfig& config> __aicore__ inline void Piece(Image& image) {
    const uint32_t* more = image.place.more;
    const auto z = image.Tensor<T>(0), x = image.Tensor<T>(3), factor = image.Tensor<T>(4);
    const auto sum = image.Tensor<S>(1), max = image.Tensor<S>(2);
    const SoftMaxShapeInfo shape = {more[0], more[1], more[2], more[3]};
    constexpr SoftMaxTiling known = SoftMaxFlashV2TilingFunc({24, 64, 24, 64}, sizeof(T), sizeof(S), 8192, update);
    static_assert(
        known.srcM == 24 && known.srcK == 64 && known.splitM * known.rangeM + known.tailM == 24 && IsBasicBlockInSoftMax(known, 4), "");
    if (image.place.form == 0)
        SoftmaxFlashV2<T, update, false, false, nz, config>(z, sum, max, x, factor, sum, max, image.Tensor<uint8_t>(5), {}, shape);
    else SoftmaxFlashV2<T, update, false, false, nz, config>(z, sum, max, x, factor, sum, max, {}, shape);
}
#define PIECE(name, T, S, nz, config)                                                                                                      \
    extern "C" __global__ __aicore__ void name(GM_ADDR bytes, GM_ADDR places) {                                                            \
        Image image(bytes, places);                                                                                                        \
        if (image.place.more[4]) Piece<T, S, true, nz, config>(image);                                                                     \
        else Piece<T, S, false, nz, config>(image);                                                                                        \
    }
PIECE(v2_float, float, float, false, SOFTMAX_DEFAULT_CFG)
PIECE(v2_half, half, half, false, SOFTMAX_DEFAULT_CFG)
PIECE(v2_mixed, half, float, false, SOFTMAX_DEFAULT_CFG)
PIECE(v2_half_nz, half, half, true, SOFTMAX_DEFAULT_CFG)
PIECE(v2_float_dense, float, float, false, DENSE)
PIECE(v2_half_dense, half, half, false, DENSE)

// With the piece's own maxima. Tensors: destination, reduceMax, expSum, max, source, expMax, scratch.
template <typename T, bool update, const SoftmaxConfig& config> __aicore__ inline void WithReduceMax(Image& image) {
    const uint32_t* more = image.place.more;
    const auto z = image.Tensor<T>(0), reduced = image.Tensor<T>(1), sum = image.Tensor<T>(2), max = image.Tensor<T>(3);
    const auto x = image.Tensor<T>(4), factor = image.Tensor<T>(5);
    const SoftMaxShapeInfo shape = {more[0], more[1], more[2], more[3]};
    if (image.place.form == 0)
        SoftmaxFlashV2<T, update, false, false, false, config>(z, reduced, sum, max, x, factor, sum, max, image.Tensor<uint8_t>(6), {},
                                                               shape);
    else SoftmaxFlashV2<T, update, false, false, false, config>(z, reduced, sum, max, x, factor, sum, max, {}, shape);
}
extern "C" __global__ __aicore__ void v2_reduce_max(GM_ADDR bytes, GM_ADDR places) {
    Image image(bytes, places);
    if (image.place.more[4] == 2) WithReduceMax<float, true, SOFTMAX_DEFAULT_CFG>(image);
    else if (image.place.more[4]) WithReduceMax<float, true, DENSE>(image);
    else WithReduceMax<float, false, DENSE>(image);
}

// The older form, same tensors as the first.
template <typename T, typename S> __aicore__ inline void Old(Image& image) {
    const uint32_t* more = image.place.more;
    const auto z = image.Tensor<T>(0), x = image.Tensor<T>(3), factor = image.Tensor<T>(4);
    const auto sum = image.Tensor<S>(1), max = image.Tensor<S>(2);
    const SoftMaxShapeInfo shape = {more[0], more[1], more[2], more[3]};
    if (image.place.form == 0) SoftmaxFlash<T>(z, sum, max, x, factor, sum, max, image.Tensor<uint8_t>(5), {}, more[4] != 0, shape);
    else SoftmaxFlash<T>(z, sum, max, x, factor, sum, max, {}, more[4] != 0, shape);
}
extern "C" __global__ __aicore__ void v1_float(GM_ADDR bytes, GM_ADDR places) {
    Image image(bytes, places);
    Old<float, float>(image);
}
extern "C" __global__ __aicore__ void v1_mixed(GM_ADDR bytes, GM_ADDR places) {
    Image image(bytes, places);
    Old<half, float>(image);
}

// Tensors: destination, mean, expSum, max, source, expMax, scratch; alpha is 0.9375.
template <bool update> __aicore__ inline void Shifted(Image& image) {
    const uint32_t* more = image.place.more;
    const auto z = image.Tensor<half>(0), x = image.Tensor<half>(4), factor = image.Tensor<half>(5);
    const auto mean = image.Tensor<float>(1), sum = image.Tensor<float>(2), max = image.Tensor<float>(3);
    const SoftMaxParams params = {more[0], more[1], more[2], more[3], more[5], 8, 0.9375f};
    if (image.place.form == 0)
        SoftmaxFlashV3<half, float, update>(z, mean, sum, max, x, factor, mean, sum, max, image.Tensor<uint8_t>(6), {}, params);
    else SoftmaxFlashV3<half, float, update>(z, mean, sum, max, x, factor, mean, sum, max, {}, params);
}
extern "C" __global__ __aicore__ void v3(GM_ADDR bytes, GM_ADDR places) {
    Image image(bytes, places);
    if (image.place.more[4]) Shifted<true>(image);
    else Shifted<false>(image);
}
