// SPDX-License-Identifier: Apache-2.0
// Raw intrinsics: 256 values of x in UB at 0, y behind it at 1024, results from 4096 on, 1024 bytes each.
#include "kernel_operator.h"

template <typename T> __aicore__ inline __ubuf__ T* at(uint64_t address) { return (__ubuf__ T*)get_imm(address); }

__aicore__ inline void done() { pipe_barrier(PIPE_ALL); }

extern "C" __global__ __aicore__ void raw_float(__gm__ float* x, __gm__ float* y, __gm__ float* out) {
    auto a = at<float>(0), b = at<float>(1024);
    copy_gm_to_ubuf(a, x, 0, 1, 32, 0, 0);
    copy_gm_to_ubuf(b, y, 0, 1, 32, 0, 0);
    set_mask_norm();
    set_vector_mask(0, 0xffffffffffffffff);
    done();
    int n = 0;
    auto next = [&]() { return at<float>(4096 + 1024 * n++); };
    for (int i = 0; i < 16; i++) vector_dup(at<float>(4096 + 1024 * i), 0.0f, 4, 1, 1, 8, 8);
    vadd(next(), a, b, 4, 1, 1, 1, 8, 8, 8);
    vsub(next(), a, b, 4, 1, 1, 1, 8, 8, 8);
    vmul(next(), a, b, 4, 1, 1, 1, 8, 8, 8);
    vdiv(next(), a, b, 4, 1, 1, 1, 8, 8, 8);
    vmax(next(), a, b, 4, 1, 1, 1, 8, 8, 8);
    vmin(next(), a, b, 4, 1, 1, 1, 8, 8, 8);
    vadds(next(), a, 2.5f, 4, 1, 1, 8, 8);
    vmuls(next(), a, -3.0f, 4, 1, 1, 8, 8);
    vabs(next(), a, 4, 1, 1, 8, 8);
    vrelu(next(), a, 4, 1, 1, 8, 8);
    vcadd(next(), a, 4, 1, 1, 8, false);
    vcmax(next(), a, 4, 1, 1, 8, Order_t::ONLY_VALUE);
    vcmin(next(), a, 4, 1, 1, 8, VALUE_INDEX);
    vcgadd(next(), a, 4, 1, 1, 8);
    vector_dup(next(), 7.0f, 2, 1, 1, 8, 8);
    copy_ubuf_to_ubuf(next(), a, 0, 2, 8, 8, 0); // every second group of eight blocks
    done();
    copy_ubuf_to_gm(out, at<float>(4096), 0, 1, 16 * 32, 0, 0);
}

// y[0..64) = x under a mask of the first 8 of 64, the rest stays 1.
extern "C" __global__ __aicore__ void raw_mask(__gm__ float* x, __gm__ float* out) {
    copy_gm_to_ubuf(at<float>(0), x, 0, 1, 8, 0, 0);
    set_vector_mask(0, 0xffffffffffffffff);
    vector_dup(at<float>(1024), 1.0f, 1, 1, 1, 8, 8);
    set_vector_mask(0, 0xff);
    done();
    vadds(at<float>(1024), at<float>(0), 0.0f, 1, 1, 1, 8, 8);
    set_vector_mask(0xffffffffffffffff, 0xffffffffffffffff);
    done();
    copy_ubuf_to_gm(out, at<float>(1024), 0, 1, 8, 0, 0);
}

extern "C" __global__ __aicore__ void raw_convert(__gm__ float* x, __gm__ half* halves, __gm__ int32_t* whole, __gm__ float* back) {
    copy_gm_to_ubuf(at<float>(0), x, 0, 1, 8, 0, 0);
    set_vector_mask(0, 0xffffffffffffffff);
    done();
    vconv_f322f16(at<half>(1024), at<float>(0), 1, 1, 1, 4, 8);
    vconv_f322s32f(at<int32_t>(2048), at<float>(0), 1, 1, 1, 8, 8);
    done();
    vconv_f162f32(at<float>(3072), at<half>(1024), 1, 1, 1, 8, 4);
    set_vector_mask(0xffffffffffffffff, 0xffffffffffffffff);
    done();
    copy_ubuf_to_gm(halves, at<half>(1024), 0, 1, 4, 0, 0);
    copy_ubuf_to_gm(whole, at<int32_t>(2048), 0, 1, 8, 0, 0);
    copy_ubuf_to_gm(back, at<float>(3072), 0, 1, 8, 0, 0);
}

// Three rows of 10 halves, each into a block of its own with 2 pads in front, and back without them.
extern "C" __global__ __aicore__ void raw_align(__gm__ half* x, __gm__ half* rows, __gm__ half* back) {
    copy_gm_to_ubuf_align_b16(at<half>(0), x, 0, 3, 20, 2, 0, 0, 0);
    done();
    copy_ubuf_to_gm(rows, at<half>(0), 0, 1, 3, 0, 0);
    copy_ubuf_to_gm_align_b16(back, at<half>(0), 0, 3, 24, 0, 0, 0, 0);
}

extern "C" __global__ __aicore__ void raw_brcb(__gm__ float* x, __gm__ float* out) {
    copy_gm_to_ubuf(at<float>(0), x, 0, 1, 1, 0, 0);
    done();
    vbrcb(at<uint32_t>(1024), at<uint32_t>(0), 1, 8, 1);
    done();
    copy_ubuf_to_gm(out, at<float>(1024), 0, 1, 8, 0, 0);
}

// c[16, 16] = a[16, 32] * b[32, 16]
extern "C" __global__ __aicore__ void raw_matmul(__gm__ half* a, __gm__ half* b, __gm__ float* c) {
    auto l1a = (__cbuf__ half*)get_imm(0), l1b = (__cbuf__ half*)get_imm(4096);
    auto l0a = (__ca__ half*)get_imm(0);
    auto l0b = (__cb__ half*)get_imm(0);
    auto l0c = (__cc__ float*)get_imm(0);
    copy_gm_to_cbuf_multi_nd2nz_b16(l1a, a, 0, 1, 16, 32, 0, 32, 16, 1, 0);
    copy_gm_to_cbuf_multi_nd2nz_b16(l1b, b, 0, 1, 32, 16, 0, 16, 32, 1, 0);
    set_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID0);
    load_cbuf_to_ca(l0a, l1a, 0, 2, 1, 0, 0, false, inc);
    load_cbuf_to_cb(l0b, l1b, 0, 2, 1, 0, 0, true, inc);
    set_flag(PIPE_MTE1, PIPE_M, EVENT_ID0);
    wait_flag(PIPE_MTE1, PIPE_M, EVENT_ID0);
    mad(l0c, l0a, l0b, 16, 32, 16, 0, false, false, true);
    set_flag(PIPE_M, PIPE_FIX, EVENT_ID0);
    wait_flag(PIPE_M, PIPE_FIX, EVENT_ID0);
    AscendC::GlobalTensor<float> out;
    out.SetGlobalBuffer(c, 256);
    AscendC::Fixpipe(out, AscendC::LocalTensor<float>(AscendC::TPosition::CO1, 0, 256), AscendC::FixpipeParamsV220(16, 16, 16, 16, false));
}

// c[16, 32] = a[16, 32] * b[32, 32] of int8, b transposed on the way into L0B, out through copy_matrix_cc_to_gm with a word for each column.
extern "C" __global__ __cube__ void raw_requantise(__gm__ int8_t* a, __gm__ int8_t* b, __gm__ uint64_t* words, __gm__ half* c) {
    auto l1a = (__cbuf__ int8_t*)get_imm(0), l1b = (__cbuf__ int8_t*)get_imm(4096), l1w = (__cbuf__ int8_t*)get_imm(8192);
    auto l0a = (__ca__ int8_t*)get_imm(0);
    auto l0b = (__cb__ int8_t*)get_imm(0);
    auto l0c = (__cc__ int32_t*)get_imm(0);
    auto fb = (__fbuf__ uint64_t*)get_imm(0);
    copy_gm_to_cbuf(l1a, a, 0, 1, 16, 0, 0);
    copy_gm_to_cbuf(l1b, b, 0, 1, 32, 0, 0);
    copy_gm_to_cbuf(l1w, words, 0, 1, 8, 0, 0);
    pipe_barrier(PIPE_ALL);
    copy_cbuf_to_fbuf(fb, l1w, 1, 2, 0, 0);
    load_cbuf_to_ca(l0a, l1a, 0, 1, 1, 0, 0, false, inc);
    load_cbuf_to_cb_transpose(l0b, l1b, 0, 1, 1, 0, inc, 0);
    pipe_barrier(PIPE_ALL);
    mad(l0c, l0a, l0b, 16, 32, 32, 0, false, false, true);
    pipe_barrier(PIPE_ALL);
    AscendC::SetFixPipeConfig<uint64_t>(AscendC::LocalTensor<uint64_t>(AscendC::TPosition::C2PIPE2GM, 0, 32));
    set_nd_para(1);
    copy_matrix_cc_to_gm(c, l0c, 0, 32, 16, 32, 16, 0, QuantMode_t::VDEQF16, 1, false, true);
}

// A window of 16 rows beside an empty map: one column of pixels, a filter of 3 with padding 1, so that the first and last column are padding.
extern "C" __global__ __cube__ void raw_padding(__gm__ half* x, __gm__ half* eye, __gm__ float* out) {
    using namespace AscendC;
    LocalTensor<half> map(TPosition::A1, 0, 256), a(TPosition::A2, 0, 768), b(TPosition::B2, 0, 768);
    LocalTensor<float> c(TPosition::CO1, 0, 256);
    GlobalTensor<half> from, ones;
    GlobalTensor<float> to;
    from.SetGlobalBuffer(x, 256);
    ones.SetGlobalBuffer(eye, 768);
    to.SetGlobalBuffer(out, 256);
    DataCopy(map, from, 256);
    LoadData(b, ones, LoadData2DParams(0, 3, 1, 0, 0, false, 0));
    PipeBarrier<PIPE_ALL>();
    set_padding(half(7.0f));
    const uint8_t pad[4] = {1, 1, 0, 0};
    SetFmatrix(16, 1, pad, FmatrixMode::FMATRIX_LEFT);
    static constexpr IsResetLoad3dConfig kept{false, false};
    LoadData3DParamsV2<half> window;
    window.channelSize = 16;
    window.kExtension = 48;
    window.mExtension = 16;
    window.filterW = 3;
    window.filterH = window.strideW = window.strideH = window.dilationFilterW = window.dilationFilterH = 1;
    window.l1H = 16;
    window.l1W = 1;
    LoadData<half, kept>(a, map, window);
    PipeBarrier<PIPE_ALL>();
    Mmad(c, a, b, MmadParams(16, 16, 48, 0, false, true));
    PipeBarrier<PIPE_ALL>();
    Fixpipe(to, c, FixpipeParamsV220(16, 16, 16, 16, false));
}

extern "C" __global__ __vector__ void raw_indices(__gm__ int64_t* out) {
    AscendC::GlobalTensor<int64_t> to;
    to.SetGlobalBuffer(out, 16);
    to.SetValue(4 * block_idx, block_idx);
    to.SetValue(4 * block_idx + 1, block_num);
    to.SetValue(4 * block_idx + 2, AscendC::GetProgramCounter());
    to.SetValue(4 * block_idx + 3, AscendC::GetProgramCounter());
}

extern "C" __global__ __aicore__ void raw_too_wide(__gm__ float* x) { vadds(at<float>(0), at<float>(0), 1.0f, 1, 1, 1, 300, 8); }
extern "C" __global__ __aicore__ void raw_add_up(__gm__ float* x) { vcadd(at<float>(0), at<float>(0), 1, 1, 1, 8, true); }
extern "C" __global__ __aicore__ void raw_trap(__gm__ float* x) {
    dsb(mem_dsb_t::DSB_ALL);
    aclimb_raw::trap();
}

// A kernel may be called like an intrinsic.
extern "C" __global__ __aicore__ void trap(__gm__ int32_t* y) { y[0] = 9; }
