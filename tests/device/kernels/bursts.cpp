// SPDX-License-Identifier: Apache-2.0
// Fixpipe with FixpipeParams: a product of 20 x 48 lies in L0C with 32 rows to a column of fractals, and leaves it in bursts.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint16_t kRows = 20, kColumns = 48, kPitch = 32;

template <typename T> __aicore__ inline GlobalTensor<T> At(GM_ADDR address) {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer((__gm__ T*)address);
    return tensor;
}

// x is 32 rows of 32 bytes, y as L0B keeps it.
template <typename A, typename C> __aicore__ inline LocalTensor<C> Product(GM_ADDR x, GM_ADDR y) {
    constexpr uint16_t k = 32 / sizeof(A);
    LocalTensor<A> a1(TPosition::A1, 0, kPitch * k), b1(TPosition::B1, 4096, k * kColumns);
    LocalTensor<A> a2(TPosition::A2, 0, kPitch * k), b2(TPosition::B2, 0, k * kColumns);
    LocalTensor<C> c(TPosition::CO1, 0, kPitch * kColumns);
    DataCopy(a1, At<A>(x), kPitch * k);
    DataCopy(b1, At<A>(y), k * kColumns);
    PipeBarrier<PIPE_ALL>();
    LoadData(a2, a1, LoadData2DParams(0, 2, 1, 0, 0, false, 0));
    LoadData(b2, b1, LoadData2DParams(0, 3, 1, 0, 0, false, 0));
    PipeBarrier<PIPE_ALL>();
    Mmad(c, a2, b2, MmadParams(kRows, kColumns, k, 0, false, true));
    PipeBarrier<PIPE_ALL>();
    return c;
}

__aicore__ inline uint16_t BlocksOf(uint16_t rows) { return static_cast<uint16_t>(rows * 16 * sizeof(float) / 32); }

// 40 of the 48 columns as rows, `pitch` elements apart.
template <typename T> __aicore__ inline void Rows(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t pitch, bool relu, QuantMode_t mode) {
    auto c = Product<half, float>(x, y);
    FixpipeParams<float> params;
    params.cburstNum = 3;
    params.burstLen = BlocksOf(kRows);
    params.srcStride = 0;
    params.dstStride = pitch;
    params.quantParams = {mode};
    params.reluEn = relu;
    params.nz2ndParams.nz2ndEn = true;
    params.nz2ndParams.ndNum = 1;
    params.nz2ndParams.srcNdStride = 0;
    params.nz2ndParams.dstNdStride = 0;
    params.nz2ndParams.originalNSize = 40;
    Fixpipe(At<T>(z), c, params);
}
extern "C" __global__ __aicore__ void float_rows(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t pitch, bool relu) {
    Rows<float>(x, y, z, pitch, relu, QuantMode_t::NoQuant);
}
extern "C" __global__ __aicore__ void half_rows(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t pitch, bool relu) {
    Rows<half>(x, y, z, pitch, relu, QuantMode_t::F322F16);
}

// Each column of fractals as a matrix of its own.
extern "C" __global__ __aicore__ void three_matrices(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    auto c = Product<half, float>(x, y);
    FixpipeParams<float> params(1, BlocksOf(kRows), 0, 16);
    params.nz2ndParams = {true, 3, 2, kRows * 16, 16};
    Fixpipe(At<float>(z), c, params);
}

// NZ: columns of `rows` rows, with a gap behind each.
extern "C" __global__ __aicore__ void float_columns(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint16_t rows, uint32_t gap) {
    auto c = Product<half, float>(x, y);
    const uint16_t unread = static_cast<uint16_t>(BlocksOf(kPitch - (rows + 15) / 16 * 16));
    Fixpipe(At<float>(z), c, FixpipeParams<float>(3, BlocksOf(rows), unread, gap));
}

// int32 to half, with a word for each column and with one for all; by way of L1, and as it is.
extern "C" __global__ __aicore__ void dequantised(GM_ADDR x, GM_ADDR y, GM_ADDR words, GM_ADDR z, GM_ADDR same, uint64_t word) {
    auto c = Product<int8_t, int32_t>(x, y);
    LocalTensor<uint64_t> scales(TPosition::C1, 16384, kColumns);
    LocalTensor<half> l1(TPosition::A1, 32768, kPitch * kColumns);
    DataCopy(scales, At<uint64_t>(words), kColumns);
    PipeBarrier<PIPE_ALL>();
    FixpipeParams<int32_t> params(3, BlocksOf(kRows), 0, kPitch - kRows);
    params.nz2ndParams = {false, 1, 0, 0, kColumns};
    params.quantParams = {QuantMode_t::VDEQF16};
    Fixpipe(l1, c, scales, params);
    PipeBarrier<PIPE_ALL>();
    DataCopy(At<half>(z), l1, kPitch * kColumns);
    params.quantParams = {QuantMode_t::DEQF16, word};
    params.unitFlag = 0;
    Fixpipe(At<half>(same), c, params);
}

// int32 to int8, whose columns are 32 wide, with a gap of 12 blocks; and as rows, with a word for each column.
extern "C" __global__ __aicore__ void requantised(GM_ADDR x, GM_ADDR y, GM_ADDR words, GM_ADDR z, GM_ADDR rows, uint64_t word) {
    auto c = Product<int8_t, int32_t>(x, y);
    LocalTensor<uint64_t> scales(TPosition::C1, 16384, kColumns);
    DataCopy(scales, At<uint64_t>(words), kColumns);
    PipeBarrier<PIPE_ALL>();
    FixpipeParams<int32_t> params(2, BlocksOf(kRows), 0, kPitch - kRows);
    params.quantParams = QuantParams(QuantMode_t::REQ8, word);
    Fixpipe(At<int8_t>(z), c, params);
    params = FixpipeParams<int32_t>(3, BlocksOf(kRows), 0, kColumns);
    params.quantParams = QuantParams(QuantMode_t::VREQ8);
    params.nz2ndParams = Nz2NdParams(true, 1, 0, 0, kColumns);
    Fixpipe(At<int8_t>(rows), c, scales, params);
}
