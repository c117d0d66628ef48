// SPDX-License-Identifier: Apache-2.0
// Every published form of every call of the library, in the spellings kernels use. It is compiled, never run: tests/library computes.
#include "kernel_operator.h"
using namespace AscendC;

template <typename T> struct Rows {
    LocalTensor<T> d, a, b, c;
    LocalTensor<float> f, f2, f3, f4;
    LocalTensor<int32_t> i, i2;
    LocalTensor<bool> finish;
    LocalTensor<uint8_t> tmp, bits;
};

static constexpr SinConfig kSine = {SinAlgo::RADIAN_REDUCTION};
static constexpr CosConfig kCosine = {CosAlgo::RADIAN_REDUCTION};
static constexpr PowerConfig kPower = {PowerAlgo::DOUBLE_FLOAT_TECH};
static constexpr CumSumConfig kDown = {false, false, true, CumSumAlgorithm::CUMSUM_ALGORITHM_SKLANSKY};

template <typename T> __aicore__ inline void Elementwise(Rows<T>& t) {
    const T scalar = static_cast<T>(2);
#define COUNTED(api)                                                                                                                       \
    api(t.d, t.a, t.tmp, 64);                                                                                                              \
    api<T, false>(t.d, t.a, 64)
#define WHOLE(api)                                                                                                                         \
    COUNTED(api);                                                                                                                          \
    api(t.d, t.a, t.tmp);                                                                                                                  \
    api<T>(t.d, t.a)
#define PAIRS(api)                                                                                                                         \
    api(t.d, t.a, t.b, t.tmp, 64);                                                                                                         \
    api<T, false>(t.d, t.a, t.b, 64)
#define WHOLE_PAIRS(api)                                                                                                                   \
    PAIRS(api);                                                                                                                            \
    api(t.d, t.a, t.b, t.tmp);                                                                                                             \
    api(t.d, t.a, t.b)
    WHOLE(Sin);
    WHOLE(Cos);
    WHOLE(Tan);
    WHOLE(Asin);
    WHOLE(Acos);
    WHOLE(Atan);
    WHOLE(Sinh);
    WHOLE(Cosh);
    WHOLE(Tanh);
    WHOLE(Asinh);
    WHOLE(Acosh);
    WHOLE(Atanh);
    WHOLE(Erf);
    WHOLE(Erfc);
    WHOLE(Log2);
    WHOLE(Trunc);
    WHOLE(Frac);
    WHOLE(Sign);
    WHOLE(Sigmoid);
    COUNTED(Ceil);
    COUNTED(Floor);
    COUNTED(Round);
    COUNTED(Lgamma);
    COUNTED(Digamma);
    COUNTED(Gelu);
    COUNTED(FasterGelu);
    COUNTED(FasterGeluV2);
    WHOLE_PAIRS(Fmod);
    WHOLE_PAIRS(Power);
    WHOLE_PAIRS(GeGLU);
    PAIRS(ReGlu);
    Gelu<T, true, false>(t.d, t.a, t.tmp, 64);
    Log(t.d, t.a, 64);
    Log(t.d, t.a);
    Log10(t.d, t.a, 64);
    Log10(t.d, t.a);
    Exp<T, 10>(t.d, t.a, t.tmp, 64);
    Exp<T, 0, false>(t.d, t.a, 64);
#define SCALAR_POWERS(base, exponent)                                                                                                      \
    Power(t.d, base, exponent, t.tmp, 64);                                                                                                 \
    Power<T, false, kPower>(t.d, base, exponent, t.tmp);                                                                                   \
    Power<T>(t.d, base, exponent, 64);                                                                                                     \
    Power<T, false>(t.d, base, exponent)
    SCALAR_POWERS(t.a, scalar);
    SCALAR_POWERS(scalar, t.a);
    Sin<T, false, kSine>(t.d, t.a, 64);
    Cos<T, false, kCosine>(t.d, t.a, t.tmp);
    Axpy<T, T>(t.d, t.a, scalar, t.tmp, 64);
    ClampMax(t.d, t.a, t.tmp, scalar, 64);
    ClampMin<T>(t.d, t.a, scalar, 64);
    Silu(t.d, t.a, 64);
    Swish(t.d, t.a, 64, scalar);
    SwiGLU(t.d, t.a, t.b, 1.0f, t.tmp, 64);
    SwiGLU<T>(t.d, t.a, t.b, 1.0f, t.tmp);
    SwiGLU<T, false>(t.d, t.a, t.b, 1.0f, 64);
    SwiGLU(t.d, t.a, t.b, 1.0f);
    Gelu<T, false, true>(t.d, t.a, 64);
    ClampMax<T>(t.d, t.a, scalar, 64);
    ClampMin(t.d, t.a, t.tmp, scalar, 64);
    CumSum(t.d, t.c, t.a, t.tmp, CumSumInfo{8, 64});
    CumSum<T, kDown>(t.d, t.c, t.a, t.tmp, CumSumInfo{8, 64});
    CumSum<T>(t.d, t.c, t.a, {8, 64});
}

static constexpr SoftmaxConfig kDense = {true, 8, 64, SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC};

template <typename T> __aicore__ inline void SoftMaxes(Rows<T>& t, LocalTensor<half>& h) {
    const SoftMaxShapeInfo shape = {8, 64, 8, 60};
    const SoftMaxTiling tiling = SoftMaxFlashV2TilingFunc(shape, sizeof(T), 4, 8192, true);
    const LogSoftMaxTiling log{};
    SoftMax(t.d, t.f, t.f2, t.a, t.tmp, tiling, shape);
    SoftMax<T>(t.d, t.f, t.f2, t.a, tiling, shape);
    SoftMax<T, false, false, true>(t.d, t.b, t.c, t.a, t.tmp, tiling, shape);
    SoftMax<T, false, false, false, kDense>(t.d, t.b, t.c, t.a, t.tmp, tiling);
    SoftMax<T>(t.d, t.b, t.c, t.a, tiling);
    SoftMax<T, false, true>(t.d, t.a, t.tmp, tiling, shape);
    SoftMax(t.d, t.a, tiling);
    SimpleSoftMax(t.d, t.f, t.f2, t.a, t.tmp, tiling, shape);
    SimpleSoftMax<T, false, false, true>(t.d, t.f, t.f2, t.a, tiling, shape);
    SimpleSoftMax<T>(t.d, t.b, t.c, t.a, t.tmp, tiling);
    SimpleSoftMax(t.d, t.b, t.c, t.a, tiling);
    LogSoftMax(t.d, t.b, t.c, t.a, t.tmp, log, shape);
    SoftmaxFlash(t.d, t.f, t.f2, t.a, t.b, t.f3, t.f4, t.tmp, tiling, IsBasicBlockInSoftMax(tiling), shape);
    SoftmaxFlash(t.d, t.b, t.c, t.a, t.b, t.b, t.c, tiling);
    SoftmaxFlashV2<T, true>(t.d, t.f, t.f2, t.a, t.b, t.f3, t.f4, t.tmp, tiling, shape);
    SoftmaxFlashV2(t.d, t.f, t.f2, t.a, t.b, t.f3, t.f4, tiling);
    SoftmaxFlashV2<T, true, false, false, true>(t.d, t.b, t.c, t.a, t.b, t.b, t.c, t.tmp, tiling);
    SoftmaxFlashV2<T, false>(t.d, t.b, t.c, t.a, t.b, t.b, t.c, tiling, shape);
    SoftmaxFlashV2<T, true, false, false, false, kDense>(t.d, t.a, t.b, t.c, t.a, t.b, t.b, t.c, t.tmp, tiling, shape);
    SoftmaxFlashV2<T, true, false, false, false, kDense>(t.d, t.a, t.b, t.c, t.a, t.b, t.b, t.c, tiling);
    SoftmaxFlash<T, false, true>(t.d, t.b, t.c, t.a, t.b, t.b, t.c, t.tmp, tiling, true);
    SoftmaxFlash(t.d, t.f, t.f2, t.a, t.b, t.f3, t.f4, tiling, true, shape);
    SoftmaxFlashV3<half, float>(h, t.f, t.f2, t.f3, h, h, t.f, t.f2, t.f3, tiling, SoftMaxParams{8, 512, 8, 512, 1, 8, 0.9f});
    SoftmaxFlashV3<half, float, true>(h, t.f, t.f2, t.f3, h, h, t.f, t.f2, t.f3, t.tmp, tiling, SoftMaxParams{8, 512, 8, 512, 2, 8, 0.9f});
    SoftmaxGrad(t.d, t.a, t.b, t.tmp, tiling, true, shape);
    SoftmaxGrad(t.d, t.a, t.b, tiling);
    SoftmaxGradFront(t.d, t.a, t.b, t.tmp, tiling, shape);
    SoftmaxGradFront(t.d, t.a, t.b, tiling);
    SoftmaxGrad<T, false, true>(t.d, t.a, t.b, t.tmp, tiling, false, shape);
    SoftmaxGradFront<T, false, true>(t.d, t.a, t.b, t.tmp, tiling, shape);
    if (AdjustSoftMaxRes<T, float>(t.d, t.f, 0xff7fffff, static_cast<T>(0), shape)) Duplicate(t.d, static_cast<T>(1), 64);
    if (AdjustSoftMaxRes<T, T, false, 1>(t.d, t.b, 0xfbff, static_cast<T>(0), shape)) Duplicate(t.d, static_cast<T>(1), 64);
}

static constexpr WelfordFinalizeConfig kCorrected = {true};
static constexpr WelfordUpdateConfig kInPlace = {true};
static constexpr LayerNormConfig kPlain = {true, true, false, false};
static constexpr NormalizeConfig kBare = {ReducePattern::AR, -1, true, true, false};

template <typename T> __aicore__ inline void Norms(Rows<T>& t) {
    const T epsilon = static_cast<T>(1e-3);
    LayerNormTiling norm{};
    DeepNormTiling deep{};
    BatchNormTiling batch{};
    GroupNormTiling group{};
    LayerNormGradTiling grad{};
    LayerNormGradBetaTiling beta{};
    WelfordFinalizePara finalize{};
    LayerNorm(t.d, t.b, t.c, t.a, t.b, t.c, t.tmp, epsilon, norm);
    LayerNorm<T, true>(t.d, t.b, t.c, t.a, t.b, t.c, epsilon, norm);
    LayerNorm<float, T>(t.d, t.f, t.f2, t.a, t.f3, t.f4, 1e-5f, t.tmp, LayerNormPara{8, 64, 64}, LayerNormSeparateTiling{});
    LayerNorm<T, T>(t.d, t.f, t.f2, t.a, t.b, t.c, 1e-5f, {8, 64, 64}, LayerNormSeparateTiling{});
    LayerNorm<T, T, false, kPlain>(t.d, t.f, t.f2, t.a, t.b, t.c, 1e-5f, t.tmp, LayerNormPara{8, 64, 64}, LayerNormSeparateTiling{});
    Normalize<T, T, false, kBare>(t.d, t.f, t.f2, t.f3, t.a, t.b, t.c, t.tmp, 1e-5f, {8, 64, 64});
    WelfordUpdate<T, float, false, kInPlace>(t.f, t.f2, t.f3, t.f4, t.a, t.tmp, WelfordUpdateParam{1, 64, 60, 0.5f});
    RmsNorm(t.d, t.a, t.b, t.tmp, epsilon, RmsNormTiling{});
    RmsNorm<T, true>(t.d, t.a, t.b, epsilon, RmsNormTiling{});
    DeepNorm(t.d, t.b, t.c, t.a, t.a, t.b, t.c, t.tmp, epsilon, epsilon, deep);
    DeepNorm<T>(t.d, t.b, t.c, t.a, t.a, t.b, t.c, epsilon, epsilon, deep);
    BatchNorm(t.d, t.b, t.c, t.a, t.b, t.c, t.tmp, epsilon, batch);
    BatchNorm<T>(t.d, t.b, t.c, t.a, t.b, t.c, epsilon, batch);
    GroupNorm(t.d, t.b, t.c, t.a, t.b, t.c, t.tmp, epsilon, group);
    GroupNorm<T>(t.d, t.b, t.c, t.a, t.b, t.c, epsilon, group);
    LayerNormGrad(t.d, t.b, t.a, t.a, t.b, t.c, t.c, t.tmp, epsilon, grad, {DataFormat::ND});
    LayerNormGrad<T>(t.d, t.b, t.a, t.a, t.b, t.c, t.c, epsilon, grad);
    LayerNormGradBeta(t.b, t.c, t.a, t.d, t.tmp, beta);
    LayerNormGradBeta<T>(t.b, t.c, t.a, t.d, beta);
    Normalize<float, T>(t.d, t.f, t.f2, t.f3, t.a, t.f4, t.f4, t.tmp, 1e-5f, NormalizePara{8, 64, 64});
    Normalize<T, T>(t.d, t.f, t.f2, t.f3, t.a, t.b, t.c, 1e-5f, {8, 64, 64});
    WelfordUpdate<T, float>(t.f, t.f2, t.f3, t.f4, t.a, t.tmp, WelfordUpdateParam{1, 64, 60, 0.5f});
    WelfordUpdate<T, float>(t.f, t.f2, t.f3, t.f4, t.a, {1, 64, 64, 1.0f});
    WelfordFinalize(t.f, t.f2, t.f3, t.f4, t.i, t.tmp, finalize);
    WelfordFinalize(t.f, t.f2, t.f3, t.f4, t.i, finalize);
    WelfordFinalize<false, kCorrected>(t.f, t.f2, t.f3, t.f4, t.tmp, finalize);
    WelfordFinalize<false>(t.f, t.f2, t.f3, t.f4, finalize);
}

static constexpr AscendQuantConfig kQuant = {64, 0, 0, 0};

template <typename T> __aicore__ inline void Quantised(Rows<T>& t, LocalTensor<int8_t>& bytes, LocalTensor<half>& h) {
    AscendQuant(bytes, t.a, t.tmp, 2.0f, 0.5f, 64);
    AscendQuant<T>(bytes, t.a, 2.0f, 0.5f);
    AscendQuant(bytes, t.a, t.tmp, 2.0f, 0.5f);
    AscendQuant<T, false, kQuant>(bytes, t.a, 2.0f, 0.5f, 64);
    AscendQuant(bytes, t.a, t.tmp, t.b, static_cast<T>(1), 32, 64);
    AscendQuant(bytes, t.a, t.tmp, t.b, static_cast<T>(1));
    AscendQuant<T>(bytes, t.a, t.b, static_cast<T>(1), 32, 64);
    AscendQuant<T>(bytes, t.a, t.b, static_cast<T>(1));
    AscendQuant(bytes, t.a, t.tmp, t.b, t.c, 32, 32, 64);
    AscendQuant(bytes, t.a, t.tmp, t.b, t.c);
    AscendQuant(bytes, t.a, t.b, t.c, 32, 32, 64);
    AscendQuant(bytes, t.a, t.b, t.c);
    constexpr DeQuantMode rows = DeQuantMode::DEQUANT_WITH_MULTI_ROW;
    AscendDequant(t.f, t.i, t.f2, t.tmp, {1, 64, 64});
    AscendDequant<float, float, rows>(t.f, t.i, t.f2, DequantParams{8, 8, 8});
    AscendDequant<float, float, rows>(t.f, t.i, 0.5f, t.tmp, DequantParams{8, 8, 8});
    AscendDequant<float, float, rows>(t.f, t.i, 0.5f, DequantParams{8, 8, 8});
    AscendDequant(t.f, t.i, t.f2, t.tmp, 64);
    AscendDequant<float, float, rows>(t.f, t.i, t.f2, t.tmp);
    AscendDequant<float, float>(t.f, t.i, t.f2, 64);
    AscendDequant(t.f, t.i, t.f2);
    AscendAntiQuant<int8_t, half, false>(h, bytes, h, h, t.tmp, 64, {1, 64, 1, 64});
    AscendAntiQuant<int8_t, half, true>(h, bytes, h, h, 64);
    AscendAntiQuant<int8_t, half, false>(h, bytes, h, t.tmp, 64, {1, 64, 1, 64});
    AscendAntiQuant<int8_t, half, true>(h, bytes, half(0), half(1), t.tmp, 64);
    AscendAntiQuant<int8_t, half, true>(h, bytes, half(0), half(1), 64);
    AscendAntiQuant<int8_t, half, true>(h, bytes, half(1), t.tmp, 64, {1, 1, 1, 1});
}

static constexpr TopKConfig kLargest = {TopKAlgo::MERGE_SORT, TopKOrder::LARGEST, true};

template <typename T> __aicore__ inline void Reduced(Rows<T>& t) {
    const uint32_t shape[] = {8, 60};
    using Pattern::Reduce::AR;
    using Pattern::Reduce::RA;
    Sum(t.d, t.a, t.tmp, SumParams{8, 64, 60});
    Sum<T>(t.d, t.a, {8, 64, 60});
    Mean(t.d, t.a, t.tmp, MeanParams{8, 64, 60});
    Mean<T, float>(t.d, t.a, {8, 64, 60});
    ReduceMax<T, AR>(t.d, t.a, t.tmp, shape, true);
    ReduceMin<T, RA>(t.d, t.a, shape, true);
    ReduceSum<float, AR>(t.f, t.f2, t.tmp, shape, true);
    ReduceMean<float, RA>(t.f, t.f2, t.tmp, shape, true);
    ReduceProd<float, AR>(t.f, t.f2, shape, true);
    ReduceAny<uint8_t, AR>(t.bits, t.tmp, shape, true);
    ReduceAll<float, RA>(t.f, t.f2, t.tmp, shape, true);
    ReduceMax<T, RA>(t.d, t.a, shape, true);
    ReduceMin<T, AR>(t.d, t.a, t.tmp, shape, true);
    ReduceSum<float, RA>(t.f, t.f2, shape, true);
    ReduceMean<float, AR>(t.f, t.f2, shape, true);
    ReduceProd<float, RA>(t.f, t.f2, t.tmp, shape, true);
    ReduceAny<uint8_t, RA>(t.bits, t.tmp, t.tmp, shape, true);
    ReduceAll<float, AR>(t.f, t.f2, shape, true);
    TopK<T, false, false, false, TopKMode::TOPK_NORMAL, kLargest>(t.d, t.i, t.a, t.i2, t.finish, 8, TopkTiling{}, {1, 64, 64});
    TopK<T, false, true, false, TopKMode::TOPK_NSMALL>(t.d, t.i, t.a, t.i2, t.finish, 8, TopkTiling{}, {4, 32, 32});
    TopK(t.d, t.i, t.a, t.i2, t.finish, t.tmp, 8, TopkTiling{}, TopKInfo{1, 64, 64});
    TopK<T, true, true>(t.d, t.i, t.a, t.i2, t.finish, 8, TopkTiling{}, {1, 64, 64}, false);
    TopK<T, true, false, false, TopKMode::TOPK_NSMALL>(t.d, t.i, t.a, t.i2, t.finish, t.tmp, 8, TopkTiling{}, {4, 32, 32});
}

static constexpr TransDataConfig kToTiles = {DataFormat::NCDHW, DataFormat::NDC1HWC0};

template <typename T> __aicore__ inline void LaidOut(Rows<T>& t, LocalTensor<half>& h) {
    const uint32_t wide[] = {8, 64}, narrow[] = {8, 1}, flat[] = {1, 64};
    PadParams pad{0, 2, 7};
    UnPadParams unpad{0, 2};
    PadTiling padding{};
    UnPadTiling unpadding{};
    ConfusionTransposeTiling turned{};
    Broadcast<T, 2, 1>(t.d, t.a, wide, narrow, t.tmp);
    BroadCast<T, 2, 1>(t.d, t.a, wide, narrow);
    Broadcast<T, 1, 0>(t.d, t.a, wide, narrow);
    BroadCast<T, 2, 0>(t.d, t.a, wide, flat, t.tmp);
    Pad(t.d, t.a, pad, t.tmp, padding);
    Pad(t.d, t.a, pad, padding);
    UnPad(t.d, t.a, unpad, t.tmp, unpadding);
    UnPad(t.d, t.a, unpad, unpadding);
    Transpose(t.d, t.a, t.tmp, TransposeType::TRANSPOSE_ND2ND_ONLY, turned);
    Transpose(t.d, t.a, TransposeType::TRANSPOSE_ND2ND_ONLY, turned);
    ConfusionTranspose(t.d, t.a, t.tmp, TransposeType::TRANSPOSE_ND2ND_ONLY, turned);
    ConfusionTranspose(t.d, t.a, TransposeType::TRANSPOSE_ND2ND_ONLY, turned);
    const auto images = MakeLayout(MakeShape(1, 16, 1, 4, 4), MakeStride());
    const auto tiles = MakeLayout(MakeShape(1, 1, 1, 4, 4, 16), MakeStride());
    TransData<kToTiles>(h, h, t.tmp, TransDataParams<decltype(images), decltype(tiles)>{images, tiles});
    TransData<kToTiles>(h, h, TransDataParams<decltype(images), decltype(tiles)>{images, tiles});
    t.i.SetValue(0, static_cast<int32_t>(Crd2Idx(MakeCoord(1, 2), MakeLayout(MakeShape(4, 8), MakeStride(8, 1)))));
    DropOut(t.d, t.a, t.bits, t.tmp, 0.5f, DropOutShapeInfo{8, 64, 64});
    DropOut<T>(t.d, t.a, t.bits, 0.5f, {8, 64, 8});
    Select<T, uint8_t>(t.d, t.a, static_cast<T>(0), t.bits, t.tmp, SelectWithBytesMaskShapeInfo{8, 64, 64});
    Select<T, uint8_t, false>(t.d, static_cast<T>(0), t.a, t.bits, t.tmp, {8, 64, 64});
    SelectWithBytesMask(t.d, t.a, static_cast<T>(0), t.bits, t.tmp, {8, 64, 64});
    SelectWithBytesMask(t.d, static_cast<T>(0), t.a, t.bits, t.tmp, {8, 64, 64});
    DropOut<T, true, 3>(t.d, t.a, t.bits, 0.5f, {8, 64, 8});
}

extern "C" __global__ __aicore__ void every_library_call(GM_ADDR x) {
    TPipe pipe;
    Rows<half> t; // tests/library has float as well
    LocalTensor<int8_t> bytes;
    LocalTensor<int16_t> s;
    Elementwise(t);
    SoftMaxes(t, t.c);
    Norms(t);
    Quantised(t, bytes, t.c);
    Reduced(t);
    LaidOut(t, t.c);
    Xor(s, s, s, t.tmp, 64);
    Xor<int16_t, false>(s, s, s, 64);
    Xor(s, s, s, t.tmp);
    Xor(s, s, s);
    Power(t.i, t.i, t.i2, t.tmp, 64);
    Power(t.i, t.i, 3);
    Axpy<float, half>(t.f, t.a, half(2), t.tmp, 64);
    ReduceXorSum(s, s, s, t.tmp, 64);
    ReduceXorSum<int16_t>(s, s, s, 64);
}
