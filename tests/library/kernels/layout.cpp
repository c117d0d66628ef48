// SPDX-License-Identifier: Apache-2.0
// Calls that move elements. Tensors: destination, source, scratch. form 0 has scratch, 2 has none.
#include "image.h"

// Words: rows, columns of the result.
template <typename T, int32_t dim, int32_t axis> __aicore__ inline void Spread(GM_ADDR bytes, GM_ADDR places) {
    Image image(bytes, places);
    const uint32_t* more = image.place.more;
    uint32_t to[2] = {more[0], more[1]}, from[2] = {more[0], more[1]};
    from[axis] = 1;
    if (dim == 1) to[0] = more[0] * more[1];
    LocalTensor<uint8_t> scratch = image.Tensor<uint8_t>(2);
    if (image.place.form == 0) Broadcast<T, dim, axis>(image.Tensor<T>(0), image.Tensor<T>(1), to, from, scratch);
    else BroadCast<T, dim, axis>(image.Tensor<T>(0), image.Tensor<T>(1), to, from);
}
#define SPREAD(T)                                                                                                                          \
    extern "C" __global__ __aicore__ void column_##T(GM_ADDR bytes, GM_ADDR places) { Spread<T, 2, 1>(bytes, places); }                    \
    extern "C" __global__ __aicore__ void row_##T(GM_ADDR bytes, GM_ADDR places) { Spread<T, 2, 0>(bytes, places); }                       \
    extern "C" __global__ __aicore__ void number_##T(GM_ADDR bytes, GM_ADDR places) { Spread<T, 1, 0>(bytes, places); }
SPREAD(float)
SPREAD(half)
SPREAD(int8_t)
SPREAD(uint8_t)
SPREAD(int16_t)
SPREAD(uint32_t)
SPREAD(bfloat16_t)

// Words: rows, width, leftPad, rightPad, padValue.
template <typename T> __aicore__ inline void Padded(GM_ADDR bytes, GM_ADDR places) {
    Image image(bytes, places);
    const uint32_t* more = image.place.more;
    PadParams params = {static_cast<uint16_t>(more[2]), static_cast<uint16_t>(more[3]), static_cast<int32_t>(more[4])};
    PadTiling tiling{more[0], more[1], more[0], more[1]};
    if (image.place.form == 0) Pad(image.Tensor<T>(0), image.Tensor<T>(1), params, image.Tensor<uint8_t>(2), tiling);
    else Pad(image.Tensor<T>(0), image.Tensor<T>(1), params, tiling);
}
template <typename T> __aicore__ inline void Unpadded(GM_ADDR bytes, GM_ADDR places) {
    Image image(bytes, places);
    const uint32_t* more = image.place.more;
    UnPadParams params = {0, static_cast<uint16_t>(more[3])};
    UnPadTiling tiling{more[0], more[1]};
    LocalTensor<uint8_t> scratch = image.Tensor<uint8_t>(2);
    if (image.place.form == 0) UnPad(image.Tensor<T>(0), image.Tensor<T>(1), params, scratch, tiling);
    else UnPad(image.Tensor<T>(0), image.Tensor<T>(1), params, tiling);
}
#define PAD(T)                                                                                                                             \
    extern "C" __global__ __aicore__ void pad_##T(GM_ADDR bytes, GM_ADDR places) { Padded<T>(bytes, places); }                             \
    extern "C" __global__ __aicore__ void unpad_##T(GM_ADDR bytes, GM_ADDR places) { Unpadded<T>(bytes, places); }
PAD(float)
PAD(half)
PAD(int16_t)
PAD(uint32_t)

// Words: the type, and the four sizes of the tiling.
template <typename T> __aicore__ inline void Turned(GM_ADDR bytes, GM_ADDR places) {
    Image image(bytes, places);
    const uint32_t* more = image.place.more;
    ConfusionTransposeTiling tiling{more[0], more[1], more[2], more[3], more[4]};
    const TransposeType type = static_cast<TransposeType>(more[0]);
    if (image.place.form == 0) Transpose(image.Tensor<T>(0), image.Tensor<T>(1), image.Tensor<uint8_t>(2), type, tiling);
    else ConfusionTranspose(image.Tensor<T>(0), image.Tensor<T>(1), type, tiling);
}
extern "C" __global__ __aicore__ void turn_float(GM_ADDR bytes, GM_ADDR places) { Turned<float>(bytes, places); }
extern "C" __global__ __aicore__ void turn_half(GM_ADDR bytes, GM_ADDR places) { Turned<half>(bytes, places); }

// Words: N, C, D, H, W.
template <DataFormat source, DataFormat target> __aicore__ inline void Between(GM_ADDR bytes, GM_ADDR places) {
    static constexpr TransDataConfig config = {source, target};
    Image image(bytes, places);
    const uint32_t* more = image.place.more;
    const uint32_t c1 = (more[1] + 15) / 16, n1 = (more[0] + 15) / 16;
    const auto plain = MakeLayout(MakeShape(more[0], more[1], more[2], more[3], more[4]), MakeStride());
    const auto tiles = MakeLayout(MakeShape(more[0], more[2], c1, more[3], more[4], 16), MakeStride());
    const auto filters = MakeLayout(MakeShape(more[2], c1, more[3], more[4], n1, 16, 16), MakeStride());
    const auto run = [&](const auto& from, const auto& to) {
        const TransDataParams<std::decay_t<decltype(from)>, std::decay_t<decltype(to)>> params{from, to};
        if (image.place.form == 0) TransData<config>(image.Tensor<half>(0), image.Tensor<half>(1), image.Tensor<uint8_t>(2), params);
        else TransData<config>(image.Tensor<half>(0), image.Tensor<half>(1), params);
    };
    if constexpr (source == DataFormat::NDC1HWC0) run(tiles, plain);
    else if constexpr (source == DataFormat::FRACTAL_Z_3D) run(filters, plain);
    else if constexpr (target == DataFormat::NDC1HWC0) run(plain, tiles);
    else run(plain, filters);
}
#define BETWEEN(name, source, target)                                                                                                      \
    extern "C" __global__ __aicore__ void name(GM_ADDR bytes, GM_ADDR places) {                                                            \
        Between<DataFormat::source, DataFormat::target>(bytes, places);                                                                    \
    }
BETWEEN(to_tiles, NCDHW, NDC1HWC0)
BETWEEN(from_tiles, NDC1HWC0, NCDHW)
BETWEEN(to_filters, NCDHW, FRACTAL_Z_3D)
BETWEEN(from_filters, FRACTAL_Z_3D, NCDHW)
