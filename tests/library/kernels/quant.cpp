// SPDX-License-Identifier: Apache-2.0
// Quantisation. Forms as everywhere: 0 scratch and count, 1 scratch, 2 count, 3 neither.
#include "image.h"

#define QUANT(name, T, first, ...)                                                                                                         \
    extern "C" __global__ __aicore__ void name##_##T(GM_ADDR bytes, GM_ADDR places) {                                                      \
        Image image(bytes, places);                                                                                                        \
        const auto z = image.Tensor<int8_t>(0);                                                                                            \
        const auto x = image.Tensor<T>(1), scale = image.Tensor<T>(first), offset = image.Tensor<T>(first + 1);                            \
        const auto tmp = image.Tensor<uint8_t>(2);                                                                                         \
        const uint32_t n = image.place.count, channels = image.place.more[0];                                                              \
        const float one = 0.37f, two = 1.25f;                                                                                              \
        switch (image.place.form) { __VA_ARGS__ }                                                                                          \
    }
#define PER_TENSOR                                                                                                                         \
    case 0: return AscendQuant(z, x, tmp, one, two, n);                                                                                    \
    case 1: return AscendQuant(z, x, tmp, one, two);                                                                                       \
    case 2: return AscendQuant(z, x, one, two, n);                                                                                         \
    default: return AscendQuant(z, x, one, two);
#define SCALAR_OFFSET                                                                                                                      \
    case 0: return AscendQuant(z, x, tmp, scale, two, channels, n);                                                                        \
    case 1: return AscendQuant(z, x, tmp, scale, two);                                                                                     \
    case 2: return AscendQuant(z, x, scale, two, channels, n);                                                                             \
    default: return AscendQuant(z, x, scale, two);
#define PER_CHANNEL                                                                                                                        \
    case 0: return AscendQuant(z, x, tmp, scale, offset, channels, channels, n);                                                           \
    case 1: return AscendQuant(z, x, tmp, scale, offset);                                                                                  \
    case 2: return AscendQuant(z, x, scale, offset, channels, channels, n);                                                                \
    default: return AscendQuant(z, x, scale, offset);
QUANT(PerTensor, float, 3, PER_TENSOR)
QUANT(PerTensor, half, 3, PER_TENSOR)
QUANT(ScalarOffset, float, 3, SCALAR_OFFSET)
QUANT(ScalarOffset, half, 3, SCALAR_OFFSET)
QUANT(PerChannel, float, 3, PER_CHANNEL)
QUANT(PerChannel, half, 3, PER_CHANNEL)

#define DEQUANT(name, To, Scale, scale)                                                                                                    \
    extern "C" __global__ __aicore__ void name(GM_ADDR bytes, GM_ADDR places) {                                                            \
        Image image(bytes, places);                                                                                                        \
        const auto z = image.Tensor<uint16_t>(0).ReinterpretCast<To>();                                                                    \
        const auto x = image.Tensor<int32_t>(1);                                                                                           \
        const auto scales = image.Tensor<uint16_t>(2).ReinterpretCast<Scale>();                                                            \
        const Scale number = 0.37f;                                                                                                        \
        (void)scales, (void)number;                                                                                                        \
        const auto tmp = image.Tensor<uint8_t>(3);                                                                                         \
        const DequantParams params = {image.place.more[0], image.place.more[1], image.place.more[2]};                                      \
        constexpr auto literal = DeQuantMode::DEQUANT_WITH_MULTI_ROW;                                                                      \
        switch (image.place.form) {                                                                                                        \
        case 0: return AscendDequant(z, x, scale, tmp, params);                                                                            \
        case 1: return AscendDequant<To, Scale, literal>(z, x, scale, tmp, params);                                                        \
        case 2: return AscendDequant<To, Scale>(z, x, scale, params);                                                                      \
        default: return AscendDequant<To, Scale, literal>(z, x, scale, params);                                                            \
        }                                                                                                                                  \
    }
DEQUANT(Dequant_half_uint64, half, uint64_t, scales)
DEQUANT(Dequant_float_float, float, float, scales)
DEQUANT(Dequant_float_bf16, float, bfloat16_t, scales)
DEQUANT(Dequant_bf16_bf16, bfloat16_t, bfloat16_t, scales)
DEQUANT(Dequant_bf16_float, bfloat16_t, float, scales)
DEQUANT(DequantNumber_float_float, float, float, number)
DEQUANT(DequantNumber_bf16_bf16, bfloat16_t, bfloat16_t, number)

extern "C" __global__ __aicore__ void OldDequant(GM_ADDR bytes, GM_ADDR places) {
    Image image(bytes, places);
    const auto z = image.Tensor<float>(0), scales = image.Tensor<float>(2);
    const auto x = image.Tensor<int32_t>(1);
    const auto tmp = image.Tensor<uint8_t>(3);
    switch (image.place.form) {
    case 0: return AscendDequant(z, x, scales, tmp, image.place.count);
    case 1: return AscendDequant(z, x, scales, tmp);
    case 2: return AscendDequant<float, float, DeQuantMode::DEQUANT_WITH_SINGLE_ROW>(z, x, scales, image.place.count);
    default: return AscendDequant(z, x, scales);
    }
}

// More: K, height, width of the scale, and whether the tensor knows its shape. Form 0: scratch and offset, 1: no offset, 2: no scratch.
#define ANTI_QUANT(name, In, Out, transposed)                                                                                              \
    extern "C" __global__ __aicore__ void name(GM_ADDR bytes, GM_ADDR places) {                                                            \
        Image image(bytes, places);                                                                                                        \
        const auto z = image.Tensor<uint16_t>(0).ReinterpretCast<Out>();                                                                   \
        const auto x = image.Tensor<int8_t>(1).ReinterpretCast<In>();                                                                      \
        auto offset = image.Tensor<uint16_t>(2).ReinterpretCast<Out>(), scale = image.Tensor<uint16_t>(3).ReinterpretCast<Out>();          \
        const auto tmp = image.Tensor<uint8_t>(4);                                                                                         \
        const uint32_t k = image.place.more[0], height = image.place.more[1], width = image.place.more[2];                                 \
        AntiQuantShapeInfo info = {height, width, height, width};                                                                          \
        const uint32_t shape[] = {height, width};                                                                                          \
        if (image.place.more[3]) {                                                                                                         \
            info = {};                                                                                                                     \
            offset.SetShapeInfo(ShapeInfo(2, shape));                                                                                      \
            scale.SetShapeInfo(ShapeInfo(2, shape));                                                                                       \
        }                                                                                                                                  \
        const Out a = 3, b = 0.75f;                                                                                                        \
        switch (image.place.form) {                                                                                                        \
        case 0: return AscendAntiQuant<In, Out, transposed>(z, x, offset, scale, tmp, k, info);                                            \
        case 1: return AscendAntiQuant<In, Out, transposed>(z, x, scale, tmp, k, info);                                                    \
        case 2: return AscendAntiQuant<In, Out, transposed>(z, x, offset, scale, k, info);                                                 \
        case 3: return AscendAntiQuant<In, Out, transposed>(z, x, a, b, tmp, k);                                                           \
        case 4: return AscendAntiQuant<In, Out, transposed>(z, x, b, tmp, k);                                                              \
        default: return AscendAntiQuant<In, Out, transposed>(z, x, a, b, k);                                                               \
        }                                                                                                                                  \
    }
ANTI_QUANT(AntiQuant_int8_half, int8_t, half, false)
ANTI_QUANT(AntiQuant_int8_bf16, int8_t, bfloat16_t, false)
ANTI_QUANT(AntiQuant_int4_half, int4b_t, half, false)
ANTI_QUANT(AntiQuantT_int8_half, int8_t, half, true)
ANTI_QUANT(AntiQuantT_int4_bf16, int4b_t, bfloat16_t, true)
