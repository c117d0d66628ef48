// SPDX-License-Identifier: Apache-2.0
// Movement and cube by their raw intrinsics, over the calls that issue the same records. `sid` has no effect. Lengths and gaps count as the
// instruction counts them: blocks of 32 bytes, and bytes in the _align_ forms.
#pragma once
#include "aclimb/cube.h"
#include "aclimb/data_copy.h"
#include "aclimb/fixpipe.h"
#include "aclimb/raw_vector.h"

namespace aclimb_raw {

enum addr_cal_mode_t : uint8_t { inc, dec };
enum mem_dsb_t : uint8_t { DSB_ALL, DSB_DDR, DSB_UB, DSB_SEQ };

} // namespace aclimb_raw

namespace aclimb {

ACLIMB_API AscendC::DataCopyParams raw_bursts(int64_t bursts, int64_t length, int64_t src_gap, int64_t dst_gap) {
    return {raw_field<uint16_t>("nBurst", bursts), raw_field<uint16_t>("lenBurst", length), raw_field<uint16_t>("srcGap", src_gap),
            raw_field<uint16_t>("dstGap", dst_gap)};
}
ACLIMB_API AscendC::DataCopyExtParams raw_bytes(int64_t bursts, int64_t bytes, int64_t src_gap, int64_t dst_gap) {
    return {raw_field<uint16_t>("nBurst", bursts), raw_field<uint32_t>("lenBurst", bytes), raw_field<uint32_t>("srcGap", src_gap),
            raw_field<uint32_t>("dstGap", dst_gap), 0};
}
// Whatever the pointer's type: blocks are moved, not elements.
ACLIMB_API uint8_t* raw_bytes_of(const volatile void* pointer) { return static_cast<uint8_t*>(const_cast<void*>(pointer)); }

} // namespace aclimb

namespace aclimb_raw {

// --- blocks
ACLIMB_API void copy_gm_to_ubuf(void* dst, const void* src, uint8_t, int64_t nBurst, int64_t lenBurst, int64_t srcGap, int64_t dstGap) {
    AscendC::DataCopy(aclimb::raw_ub(aclimb::raw_bytes_of(dst)), aclimb::raw_gm(aclimb::raw_bytes_of(src)),
                      aclimb::raw_bursts(nBurst, lenBurst, srcGap, dstGap));
}
ACLIMB_API void copy_ubuf_to_gm(void* dst, const void* src, uint8_t, int64_t nBurst, int64_t lenBurst, int64_t srcGap, int64_t dstGap) {
    AscendC::DataCopy(aclimb::raw_gm(aclimb::raw_bytes_of(dst)), aclimb::raw_ub(aclimb::raw_bytes_of(src)),
                      aclimb::raw_bursts(nBurst, lenBurst, srcGap, dstGap));
}
ACLIMB_API void copy_ubuf_to_ubuf(void* dst, const void* src, uint8_t, int64_t nBurst, int64_t lenBurst, int64_t srcGap, int64_t dstGap) {
    AscendC::DataCopy(aclimb::raw_ub(aclimb::raw_bytes_of(dst)), aclimb::raw_ub(aclimb::raw_bytes_of(src)),
                      aclimb::raw_bursts(nBurst, lenBurst, srcGap, dstGap));
}
template <typename... Pad> ACLIMB_API void copy_gm_to_cbuf(void* dst, const void* src, uint8_t, int64_t nBurst, int64_t lenBurst,
                                                           int64_t srcGap, int64_t dstGap, Pad...) {
    AscendC::DataCopy(aclimb::raw<AscendC::TPosition::A1>(aclimb::raw_bytes_of(dst)), aclimb::raw_gm(aclimb::raw_bytes_of(src)),
                      aclimb::raw_bursts(nBurst, lenBurst, srcGap, dstGap));
}

// --- bytes, with padding of whole elements in UB
#define ACLIMB_RAW_ALIGN_IN(name, type)                                                                                                    \
    ACLIMB_API void name(void* dst, const void* src, uint8_t, int64_t nBurst, int64_t lenBurst, int64_t leftPad, int64_t rightPad,         \
                         int64_t srcGap, int64_t dstGap) {                                                                                 \
        const AscendC::DataCopyPadExtParams<type> pad(leftPad || rightPad, aclimb::raw_field<uint8_t>("leftPadding", leftPad),             \
                                                      aclimb::raw_field<uint8_t>("rightPadding", rightPad), type{});                       \
        AscendC::DataCopyPad(aclimb::raw_ub(static_cast<type*>(dst)), aclimb::raw_gm(static_cast<const type*>(src)),                       \
                             aclimb::raw_bytes(nBurst, lenBurst, srcGap, dstGap), pad);                                                    \
    }
ACLIMB_RAW_ALIGN_IN(copy_gm_to_ubuf_align_b8, uint8_t)
ACLIMB_RAW_ALIGN_IN(copy_gm_to_ubuf_align_b16, uint16_t)
ACLIMB_RAW_ALIGN_IN(copy_gm_to_ubuf_align_b32, uint32_t)
#define ACLIMB_RAW_ALIGN_OUT(name, type)                                                                                                   \
    ACLIMB_API void name(void* dst, const void* src, uint8_t, int64_t nBurst, int64_t lenBurst, int64_t, int64_t, int64_t srcGap,          \
                         int64_t dstGap) {                                                                                                 \
        AscendC::DataCopyPad(aclimb::raw_gm(static_cast<type*>(dst)), aclimb::raw_ub(static_cast<const type*>(src)),                       \
                             aclimb::raw_bytes(nBurst, lenBurst, srcGap, dstGap));                                                         \
    }
ACLIMB_RAW_ALIGN_OUT(copy_ubuf_to_gm_align_b8, uint8_t)
ACLIMB_RAW_ALIGN_OUT(copy_ubuf_to_gm_align_b16, uint16_t)
ACLIMB_RAW_ALIGN_OUT(copy_ubuf_to_gm_align_b32, uint32_t)

// --- cube
#define ACLIMB_RAW_ND2NZ(name)                                                                                                             \
    template <typename T> ACLIMB_API void name(T* dst, T* src, uint8_t, int64_t ndNum, int64_t nValue, int64_t dValue,                     \
                                               int64_t srcNdMatrixStride, int64_t srcDValue, int64_t dstNzC0Stride, int64_t dstNzNStride,  \
                                               int64_t dstNzMatrixStride) {                                                                \
        AscendC::DataCopy(aclimb::raw<AscendC::TPosition::A1>(dst), aclimb::raw_gm(src),                                                   \
                          AscendC::Nd2NzParams(aclimb::raw_field<uint16_t>("ndNum", ndNum), aclimb::raw_field<uint16_t>("nValue", nValue), \
                                               aclimb::raw_field<uint16_t>("dValue", dValue),                                              \
                                               aclimb::raw_field<uint16_t>("srcNdMatrixStride", srcNdMatrixStride),                        \
                                               aclimb::raw_field<uint16_t>("srcDValue", srcDValue),                                        \
                                               aclimb::raw_field<uint16_t>("dstNzC0Stride", dstNzC0Stride),                                \
                                               aclimb::raw_field<uint16_t>("dstNzNStride", dstNzNStride),                                  \
                                               aclimb::raw_field<uint16_t>("dstNzMatrixStride", dstNzMatrixStride)));                      \
    }
ACLIMB_RAW_ND2NZ(copy_gm_to_cbuf_multi_nd2nz_b8)
ACLIMB_RAW_ND2NZ(copy_gm_to_cbuf_multi_nd2nz_b16)
ACLIMB_RAW_ND2NZ(copy_gm_to_cbuf_multi_nd2nz_b32s)

#define ACLIMB_RAW_LOAD(name, position)                                                                                                    \
    template <typename T> ACLIMB_API void name(T* dst, T* src, int64_t baseIdx, int64_t repeat, int64_t srcStride, int64_t dstGap,         \
                                               uint8_t sid, bool transpose, addr_cal_mode_t mode) {                                        \
        AscendC::LoadData(aclimb::raw<AscendC::TPosition::position>(dst), aclimb::raw<AscendC::TPosition::A1>(src),                        \
                          AscendC::LoadData2DParams(aclimb::raw_field<uint16_t>("baseIdx", baseIdx),                                       \
                                                    aclimb::raw_field<uint8_t>("repeat", repeat),                                          \
                                                    aclimb::raw_field<uint16_t>("srcStride", srcStride), sid,                              \
                                                    aclimb::raw_field<uint16_t>("dstGap", dstGap), transpose, mode));                      \
    }
ACLIMB_RAW_LOAD(load_cbuf_to_ca, A2)
ACLIMB_RAW_LOAD(load_cbuf_to_cb, B2)

// m, k, n: in another order than MmadParams has them.
template <typename C, typename A, typename B> ACLIMB_API void mad(C* c, A* a, B* b, int64_t m, int64_t k, int64_t n, uint8_t unitFlag,
                                                                  bool kDirectionAlign, bool cmatrixSource, bool cmatrixInitVal) {
    AscendC::MmadParams params(aclimb::raw_field<uint16_t>("m", m), aclimb::raw_field<uint16_t>("n", n),
                               aclimb::raw_field<uint16_t>("k", k), unitFlag, cmatrixSource, cmatrixInitVal);
    params.kDirectionAlign = kDirectionAlign;
    AscendC::Mmad(aclimb::raw<AscendC::TPosition::CO1>(c), aclimb::raw<AscendC::TPosition::A2>(a), aclimb::raw<AscendC::TPosition::B2>(b),
                  params);
}

// --- the rest
// ndNum, and the strides of source and destination from bits 16 and 32 on: assumed, nothing published says it.
ACLIMB_API void set_nd_para(uint64_t config) {
    AscendC::SetFixpipeNz2ndFlag(static_cast<uint16_t>(config), static_cast<uint16_t>(config >> 16), static_cast<uint16_t>(config >> 32));
}
ACLIMB_API void dsb(mem_dsb_t) { AscendC::DataSyncBarrier(); }
ACLIMB_API void trap() { AscendC::Trap(); }
ACLIMB_API uint64_t get_imm(uint64_t value) { return value; }

} // namespace aclimb_raw
