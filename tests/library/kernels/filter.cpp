// SPDX-License-Identifier: Apache-2.0
// DropOut and Select by numbers. Tensors: destination, source, mask, scratch. Words: firstAxis, srcLastAxis, maskLastAxis, and which form.
#include "image.h"

template <typename T, uint32_t mode> __aicore__ inline void Drop(Image& image) {
    const uint32_t* more = image.place.more;
    const DropOutShapeInfo info = {more[0], more[1], more[2]};
    const auto z = image.Tensor<T>(0), x = image.Tensor<T>(1);
    if (image.place.form == 0) DropOut<T, false, mode>(z, x, image.Tensor<uint8_t>(2), image.Tensor<uint8_t>(3), 0.75f, info);
    else DropOut<T, false, mode>(z, x, image.Tensor<uint8_t>(2), 0.75f, info);
}
template <typename T> __aicore__ inline void DropInMode(GM_ADDR bytes, GM_ADDR places) {
    Image image(bytes, places);
    switch (image.place.more[3]) {
    case 0: return Drop<T, 0>(image);
    case 1: return Drop<T, 1>(image);
    case 2: return Drop<T, 2>(image);
    case 3: return Drop<T, 3>(image);
    default: return Drop<T, 4>(image);
    }
}
extern "C" __global__ __aicore__ void drop_float(GM_ADDR bytes, GM_ADDR places) { DropInMode<float>(bytes, places); }
extern "C" __global__ __aicore__ void drop_half(GM_ADDR bytes, GM_ADDR places) { DropInMode<half>(bytes, places); }

template <typename T, typename U> __aicore__ inline void Choose(GM_ADDR bytes, GM_ADDR places) {
    Image image(bytes, places);
    const uint32_t* more = image.place.more;
    const SelectWithBytesMaskShapeInfo info = {more[0], more[1], more[2]};
    const auto z = image.Tensor<T>(0), x = image.Tensor<T>(1);
    const auto mask = image.Tensor<U>(2);
    const auto scratch = image.Tensor<uint8_t>(3);
    const T number = static_cast<T>(-2.5f);
    switch (more[3]) {
    case 0: return SelectWithBytesMask(z, x, number, mask, scratch, info);
    case 1: return SelectWithBytesMask(z, number, x, mask, scratch, info);
    case 2: return Select(z, x, number, mask, scratch, info);
    default: return Select(z, number, x, mask, scratch, info);
    }
}
#define CHOOSE(T, U)                                                                                                                       \
    extern "C" __global__ __aicore__ void choose_##T##_##U(GM_ADDR bytes, GM_ADDR places) { Choose<T, U>(bytes, places); }
CHOOSE(float, bool)
CHOOSE(half, int8_t)
CHOOSE(half, uint8_t)
CHOOSE(float, int16_t)
CHOOSE(half, uint16_t)
CHOOSE(float, int32_t)
CHOOSE(half, uint32_t)
