// SPDX-License-Identifier: Apache-2.0
// The C API as its samples for Atlas A2 and A3 use it: calls on pointers into UB and global memory. An array that a kernel declares with
// __ubuf__ lies in UB (src/aclimb/compile/ub_arrays.py).
#pragma once
#include "kernel_operator.h"

#define C_API_ONE_REPEAT_BYTE_SIZE 256

ACLIMB_API void asc_init() { AscendC::InitSocState(); }
ACLIMB_API int64_t asc_get_block_idx() { return AscendC::GetBlockIdx(); }
ACLIMB_API int64_t asc_get_block_num() { return AscendC::GetBlockNum(); }

// --- order
ACLIMB_API void asc_sync() { AscendC::PipeBarrier<PIPE_ALL>(); }
ACLIMB_API void asc_sync_pipe(pipe_t pipe) { pipe_barrier(pipe); }
ACLIMB_API void asc_sync_notify(pipe_t pipe, pipe_t tpipe, int32_t id) { set_flag(pipe, tpipe, id); }
ACLIMB_API void asc_sync_wait(pipe_t pipe, pipe_t tpipe, int32_t id) { wait_flag(pipe, tpipe, id); }

// --- movement: a number of bytes, or bursts of 32-byte blocks
namespace aclimb {
ACLIMB_API int64_t c_api_blocks(uint32_t size) {
    if (__builtin_expect(size & 31u, 0)) misuse(MisuseKind::misaligned, "size of a C API copy", size, 32);
    return size / 32;
}
} // namespace aclimb
ACLIMB_API void asc_copy_gm2ub(void* dst, const void* src, uint32_t size) {
    copy_gm_to_ubuf(dst, src, 0, 1, aclimb::c_api_blocks(size), 0, 0);
}
ACLIMB_API void asc_copy_gm2ub(void* dst, const void* src, uint16_t nBurst, uint16_t burstLen, uint16_t srcGap, uint16_t dstGap) {
    copy_gm_to_ubuf(dst, src, 0, nBurst, burstLen, srcGap, dstGap);
}
ACLIMB_API void asc_copy_ub2gm(void* dst, const void* src, uint32_t size) {
    copy_ubuf_to_gm(dst, src, 0, 1, aclimb::c_api_blocks(size), 0, 0);
}
ACLIMB_API void asc_copy_ub2gm(void* dst, const void* src, uint16_t nBurst, uint16_t burstLen, uint16_t srcGap, uint16_t dstGap) {
    copy_ubuf_to_gm(dst, src, 0, nBurst, burstLen, srcGap, dstGap);
}

// --- arithmetic: a count of elements, or repeats under the mask register
template <typename T> ACLIMB_API void asc_add(T* dst, T* src0, T* src1, uint32_t count) {
    AscendC::Add(aclimb::raw_ub(dst), aclimb::raw_ub(src0), aclimb::raw_ub(src1), static_cast<int32_t>(count));
}
template <typename T> ACLIMB_API void asc_add(T* dst, T* src0, T* src1, uint8_t repeat, uint8_t dstBlockStride, uint8_t src0BlockStride,
                                              uint8_t src1BlockStride, uint8_t dstRepeatStride, uint8_t src0RepeatStride,
                                              uint8_t src1RepeatStride) {
    vadd(dst, src0, src1, repeat, dstBlockStride, src0BlockStride, src1BlockStride, dstRepeatStride, src0RepeatStride, src1RepeatStride);
}

// --- forms that are finished when they return
template <typename... Args> ACLIMB_API void asc_copy_gm2ub_sync(const Args&... args) {
    asc_copy_gm2ub(args...);
    asc_sync();
}
template <typename... Args> ACLIMB_API void asc_copy_ub2gm_sync(const Args&... args) {
    asc_copy_ub2gm(args...);
    asc_sync();
}
template <typename... Args> ACLIMB_API void asc_add_sync(const Args&... args) {
    asc_add(args...);
    asc_sync();
}
