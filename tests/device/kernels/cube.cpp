// SPDX-License-Identifier: Apache-2.0
// Loads of L0A and L0B, products, and ways out of L0C, one kernel each; all of them on one AIC.
#include "kernel_operator.h"
using namespace AscendC;

template <typename T> __aicore__ inline GlobalTensor<T> At(GM_ADDR address) {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer((__gm__ T*)address);
    return tensor;
}

template <typename A, typename C> __aicore__ inline void Multiply(LocalTensor<C>& c, uint16_t m, uint16_t n, uint16_t k, bool init = true) {
    LocalTensor<A> a2(TPosition::A2, 0, 32768), b2(TPosition::B2, 0, 32768);
    MmadParams params;
    params.m = m;
    params.n = n;
    params.k = k;
    params.cmatrixInitVal = init;
    Mmad(c, a2, b2, params);
    PipeBarrier<PIPE_ALL>();
}

template <typename T> __aicore__ inline void Out(GM_ADDR z, LocalTensor<T>& c, uint16_t m, uint16_t n) {
    FixpipeParamsV220 params(n, m, static_cast<uint16_t>((m + 15) / 16 * 16), n, false);
    Fixpipe<T, T, CFG_ROW_MAJOR>(At<T>(z), c, params);
}

// A convolution: the map (2 blocks of channels, 7 x 9) comes by im2col into L0A, the weights as B = (18 * 16) x 32 through L1.
extern "C" __global__ __aicore__ void convolve(GM_ADDR x, GM_ADDR w, GM_ADDR z) {
    InitSocState();
    LocalTensor<half> map(TPosition::A1, 0, 2 * 7 * 9 * 16), weights(TPosition::B1, 65536, 288 * 32);
    LocalTensor<half> a2(TPosition::A2, 0, 64 * 288), b2(TPosition::B2, 0, 288 * 32);
    LocalTensor<float> c(TPosition::CO1, 0, 64 * 32);
    DataCopy(map, At<half>(x), 2 * 7 * 9 * 16);
    DataCopy(weights, At<half>(w), 288 * 32); // already as L0B keeps them
    PipeBarrier<PIPE_ALL>();
    const uint8_t pads[4] = {1, 1, 1, 1};
    LoadData3DParamsV2<half> params(pads, 7, 9, 32, 288, 63, 0, 0, 1, 1, 3, 3, 1, 1, false, false, half(0));
    LoadData(a2, map, params);
    LoadData(b2, weights, LoadData2DParams(0, 36, 1, 0, 0, false, 0));
    PipeBarrier<PIPE_ALL>();
    Multiply<half>(c, 63, 32, 288);
    Out(z, c, 63, 32);
}

// x (64 x 32, NZ in GM) times y (32 x 48, NZ in GM): both through LoadData 3D, which transposes into L0B. How the map, the padding and the
// window are given differs.
template <typename T> __aicore__ inline void Product3D(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t way) {
    InitSocState();
    LocalTensor<T> a1(TPosition::A1, 0, 64 * 32), b1(TPosition::B1, 65536, 32 * 48), a2(TPosition::A2, 0, 64 * 32), b2(TPosition::B2, 0, 32 * 48);
    LocalTensor<float> c(TPosition::CO1, 0, 64 * 48);
    DataCopy(a1, At<T>(x), 64 * 32);
    DataCopy(b1, At<T>(y), 32 * 48);
    PipeBarrier<PIPE_ALL>();
    static constexpr IsResetLoad3dConfig kept = {false, false};
    const uint8_t none[4] = {0, 0, 0, 0};
    LoadData3DParamsV2<T> left(none, 64, 1, 32, 32, 64, 0, 0, 1, 1, 1, 1, 1, 1, false, false, T(0));
    LoadData3DParamsV2<T> right(none, 1, 32, 48, 48, 32, 0, 0, 1, 1, 1, 1, 1, 1, false, false, T(0));
    if (way == 0) {
        LoadData(a2, a1, left);
        LoadData(b2, b1, right);
    } else if (way == 1) { // the registers, and parameters that must not count
        SetFmatrix(64, 1, none, FmatrixMode::FMATRIX_LEFT);
        SetLoadDataPaddingValue(T(0));
        left.l1H = 3;
        LoadData<T, kept>(a2, a1, left);
        SetFmatrix(1, 32, none, FmatrixMode::FMATRIX_LEFT);
        right.l1W = 5;
        LoadData<T, kept>(b2, b1, right);
    } else if (way == 2) { // packed
        SetFmatrix(64, 1, none, FmatrixMode::FMATRIX_LEFT);
        LoadData3DParamsV2Pro packed;
        packed.channelSize = 32;
        packed.extConfig = uint64_t{64} << 16 | 32;
        LoadData(a2, a1, packed);
        SetFmatrix(1, 32, none, FmatrixMode::FMATRIX_LEFT);
        packed.channelSize = 48;
        packed.extConfig = uint64_t{32} << 16 | 48;
        LoadData(b2, b1, packed);
    } else { // four windows of 16 rows, one instruction
        SetLoadDataBoundary(0);
        SetLoadDataRepeat({1, 4, 0});
        left.mExtension = 16;
        LoadData(a2, a1, left);
        SetLoadDataRepeat({0, 1, 0});
        LoadData(b2, b1, right);
    }
    PipeBarrier<PIPE_ALL>();
    MmadParams params(64, 48, 32, 0, false, true);
    params.kDirectionAlign = true; // of float: LoadData 3D pads k to 16 there
    Mmad(c, a2, b2, params);
    PipeBarrier<PIPE_ALL>();
    Out(z, c, 64, 48);
}
extern "C" __global__ __aicore__ void product_3d_half(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t way) { Product3D<half>(x, y, z, way); }
extern "C" __global__ __aicore__ void product_3d_float(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t way) { Product3D<float>(x, y, z, way); }

// y (32 x 32 of 8 bits, two fractals of 16 x 32 below each other in L1) is transposed into L0B.
extern "C" __global__ __aicore__ void transposed_int8(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    InitSocState();
    LocalTensor<int8_t> a1(TPosition::A1, 0, 512), b1(TPosition::B1, 4096, 1024), a2(TPosition::A2, 0, 512), b2(TPosition::B2, 0, 1024);
    LocalTensor<int32_t> c(TPosition::CO1, 0, 512);
    DataCopy(a1, At<int8_t>(x), 512);
    DataCopy(b1, At<int8_t>(y), 1024);
    PipeBarrier<PIPE_ALL>();
    LoadData(a2, a1, LoadData2DParams(0, 1, 1, 0, 0, false, 0));
    LoadDataWithTranspose(b2, b1, LoadData2dTransposeParams(0, 1, 1, 0, 0));
    PipeBarrier<PIPE_ALL>();
    Multiply<int8_t>(c, 16, 32, 32);
    Out(z, c, 16, 32);
}

// x (16 x 64) times a matrix of 64 x 32 of which every four rows keep two.
extern "C" __global__ __aicore__ void sparse(GM_ADDR x, GM_ADDR kept, GM_ADDR positions, GM_ADDR z) {
    InitSocState();
    LocalTensor<int8_t> a1(TPosition::A1, 0, 1024), b1(TPosition::B1, 4096, 1024), a2(TPosition::A2, 0, 1024), b2(TPosition::B2, 0, 1024);
    LocalTensor<uint8_t> index(TPosition::B1, 8192, 256);
    LocalTensor<int32_t> c(TPosition::CO1, 0, 512);
    DataCopy(a1, At<int8_t>(x), 1024);
    DataCopy(b1, At<int8_t>(kept), 1024);
    DataCopy(index, At<uint8_t>(positions), 256);
    PipeBarrier<PIPE_ALL>();
    LoadData(a2, a1, LoadData2DParams(0, 2, 1, 0, 0, false, 0));
    LoadDataWithSparse(b2, b1, index, LoadData2dParams(0, 2, 1, 0, 0, false, 0));
    PipeBarrier<PIPE_ALL>();
    MmadWithSparse(c, a2, b2, MmadParams(16, 32, 64, 0, false, true));
    PipeBarrier<PIPE_ALL>();
    Out(z, c, 16, 32);
}

// int4: 16 x 64 times 64 x 16, added to what L0C holds in the second call.
extern "C" __global__ __aicore__ void int4_twice(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    InitSocState();
    LocalTensor<int8_t> a1(TPosition::A1, 0, 512), b1(TPosition::B1, 4096, 512), a2(TPosition::A2, 0, 512), b2(TPosition::B2, 0, 512);
    LocalTensor<int32_t> c(TPosition::CO1, 0, 256);
    DataCopy(a1, At<int8_t>(x), 512);
    DataCopy(b1, At<int8_t>(y), 512);
    PipeBarrier<PIPE_ALL>();
    LoadData(a2, a1, LoadData2DParams(0, 1, 1, 0, 0, false, 0));
    LoadData(b2, b1, LoadData2DParams(0, 1, 1, 0, 0, false, 0));
    PipeBarrier<PIPE_ALL>();
    Multiply<int4b_t>(c, 16, 16, 64);
    Multiply<int4b_t>(c, 16, 16, 64, false);
    Out(z, c, 16, 16);
}

// Rows of int4 in GM to fractals of L1: the parameters count bytes.
extern "C" __global__ __aicore__ void int4_rows(GM_ADDR x, GM_ADDR z, uint16_t rows, uint16_t columns, uint16_t pitch) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY); // copies alone do not tell
    InitSocState();
    LocalTensor<int4b_t> l1(TPosition::A1, 0, 4096);
    LocalTensor<int8_t> bytes(TPosition::A1, 0, 2048);
    DataCopy(l1, At<int4b_t>(x), Nd2NzParams(1, rows, columns, 0, pitch, 16, 1, 0));
    PipeBarrier<PIPE_ALL>();
    DataCopy(At<int8_t>(z), bytes, 1024);
}

// A row of the bias table that no operand names: cmatrixSource without cmatrixInitVal.
extern "C" __global__ __aicore__ void bias_by_source(GM_ADDR x, GM_ADDR bias, GM_ADDR z) {
    InitSocState();
    LocalTensor<half> a1(TPosition::A1, 0, 256), a2(TPosition::A2, 0, 256), b2(TPosition::B2, 0, 256);
    LocalTensor<float> row(TPosition::C1, 4096, 16), table(TPosition::C2, 0, 16), c(TPosition::CO1, 0, 256);
    DataCopy(a1, At<half>(x), 256);
    DataCopy(row, At<float>(bias), 16);
    PipeBarrier<PIPE_ALL>();
    LoadData(a2, a1, LoadData2DParams(0, 1, 1, 0, 0, false, 0));
    LoadData(b2, a1, LoadData2DParams(0, 1, 1, 0, 0, true, 0));
    DataCopy(table, row, DataCopyParams(1, 1, 0, 0));
    PipeBarrier<PIPE_ALL>();
    Mmad(c, a2, b2, MmadParams(16, 16, 16, 0, true, false));
    PipeBarrier<PIPE_ALL>();
    Out(z, c, 16, 16);
}

// int32 words of GM into L0C: a product with the unit matrix, two bytes at a time.
__aicore__ inline void Words(GM_ADDR x, LocalTensor<int32_t>& c) {
    LocalTensor<int8_t> a1(TPosition::A1, 0, 512), b1(TPosition::B1, 4096, 1024), a2(TPosition::A2, 0, 512), b2(TPosition::B2, 0, 1024);
    DataCopy(a1, At<int8_t>(x), 512);
    DataCopy(b1, At<int8_t>(x)[512], 1024);
    PipeBarrier<PIPE_ALL>();
    LoadData(a2, a1, LoadData2DParams(0, 1, 1, 0, 0, false, 0));
    LoadData(b2, b1, LoadData2DParams(0, 2, 1, 0, 0, false, 0));
    PipeBarrier<PIPE_ALL>();
    Multiply<int8_t>(c, 16, 32, 32);
}

// The same results by Fixpipe with its words in L1, and by the older DataCopy with its words in the Fixpipe buffer.
template <typename T> __aicore__ inline void BothWays(GM_ADDR x, GM_ADDR words, GM_ADDR z, GM_ADDR older, QuantMode_t mode, bool relu) {
    InitSocState();
    LocalTensor<int32_t> c(TPosition::CO1, 0, 512);
    Words(x, c);
    LocalTensor<uint64_t> in_l1(TPosition::C1, 16384, 32), in_fb(TPosition::C2PIPE2GM, 0, 32), no_relu;
    DataCopy(in_l1, At<uint64_t>(words), 32);
    PipeBarrier<PIPE_ALL>();
    FixpipeParamsV220 params(32, 16, 16, 32, relu, mode, 0, 1, 0, 0, 0);
    Fixpipe<T, int32_t, CFG_ROW_MAJOR>(At<T>(z), c, in_l1, params);
    DataCopy(in_fb, in_l1, DataCopyParams(1, 2, 0, 0));
    if (relu) SetFixPipeConfig(no_relu, in_fb);
    else SetFixPipeConfig(in_fb);
    PipeBarrier<PIPE_FIX>();
    DataCopy(At<T>(older), c, DataCopyCO12DstParams(32, 16, 32, 16, mode, relu, false, true));
}
extern "C" __global__ __aicore__ void dequantise_both_ways(GM_ADDR x, GM_ADDR words, GM_ADDR z, GM_ADDR older, uint32_t relu) {
    BothWays<half>(x, words, z, older, QuantMode_t::VDEQF16, relu);
}
extern "C" __global__ __aicore__ void requantise_both_ways(GM_ADDR x, GM_ADDR words, GM_ADDR z, GM_ADDR older, uint32_t relu) {
    BothWays<int8_t>(x, words, z, older, QuantMode_t::VREQ8, relu);
}
// One word for all columns: in the parameters, and by SetFixpipePreQuantFlag.
extern "C" __global__ __aicore__ void requantise_with_one_word(GM_ADDR x, GM_ADDR z, GM_ADDR older, uint64_t word) {
    InitSocState();
    LocalTensor<int32_t> c(TPosition::CO1, 0, 512);
    Words(x, c);
    Fixpipe<uint8_t, int32_t, CFG_ROW_MAJOR>(
        At<uint8_t>(z), c, FixpipeParamsV220(32, 16, 16, 32, false, QuantMode_t::REQ8, static_cast<int64_t>(word), 1, 0, 0, 0));
    SetFixpipePreQuantFlag(word);
    SetFixpipeNz2ndFlag(1, 0, 0);
    DataCopy(At<uint8_t>(older), c, DataCopyCO12DstParams(32, 16, 32, 16, QuantMode_t::REQ8, 0, false, true));
}
extern "C" __global__ __aicore__ void forgets_the_words(GM_ADDR z) {
    InitSocState();
    LocalTensor<int32_t> c(TPosition::CO1, 0, 512);
    DataCopy(At<half>(z), c, DataCopyCO12DstParams(32, 16, 32, 16, QuantMode_t::VDEQF16, 0, false, true));
}
extern "C" __global__ __aicore__ void right_fmatrix() {
    const uint8_t none[4] = {0, 0, 0, 0};
    SetFmatrix(1, 1, none, FmatrixMode::FMATRIX_RIGHT);
    LocalTensor<half> a1(TPosition::A1, 0, 512), a2(TPosition::A2, 0, 512);
    LoadData(a2, a1, LoadData3DParamsV2<half>());
}
