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

extern "C" __global__ __aicore__ void raw_too_wide(__gm__ float* x) { vadds(at<float>(0), at<float>(0), 1.0f, 1, 1, 1, 300, 8); }
extern "C" __global__ __aicore__ void raw_add_up(__gm__ float* x) { vcadd(at<float>(0), at<float>(0), 1, 1, 1, 8, true); }
extern "C" __global__ __aicore__ void raw_trap(__gm__ float* x) {
    dsb(mem_dsb_t::DSB_ALL);
    aclimb_raw::trap();
}

// A kernel may be called like an intrinsic.
extern "C" __global__ __aicore__ void trap(__gm__ int32_t* y) { y[0] = 9; }
