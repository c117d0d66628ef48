// SPDX-License-Identifier: Apache-2.0
// Fixpipe: L0C to GM or L1, with conversion, relu and layout on the way. Vanishes on an AIV.
#pragma once
#include "aclimb/cube.h"

namespace aclimb {

template <typename T, typename U> constexpr bool check_fixpipe() {
    constexpr bool has = is_one_of<U, float, int32_t> && is_one_of<T, float, int32_t, half, bfloat16_t, int8_t, uint8_t>;
    static_assert(
        has, "aclimb: AscendC::Fixpipe reads float or int32_t from L0C and writes float, int32_t, half, bfloat16_t, int8_t or uint8_t");
    return has;
}

constexpr FixpipeLayout layout_of(AscendC::CO2Layout layout) {
    return layout == AscendC::CO2Layout::NZ          ? FixpipeLayout::nz
           : layout == AscendC::CO2Layout::ROW_MAJOR ? FixpipeLayout::row_major
                                                     : FixpipeLayout::column_major;
}

template <typename T, typename U> ACLIMB_API void fixpipe(const Place& dst, const Place& src, const Place& quant, FixpipeLayout layout,
                                                          const AscendC::FixpipeParamsV220& params) {
    Fixpipe record{};
    record.dst = dst;
    record.src = src;
    record.quant = quant;
    record.deq_scalar = params.deqScalar;
    record.dst_stride = params.dstStride;
    record.n = params.nSize;
    record.m = params.mSize;
    record.src_stride = params.srcStride;
    record.nd_num = params.ndNum;
    record.src_nd_stride = params.srcNdStride;
    record.dst_nd_stride = params.dstNdStride;
    record.quant_mode = static_cast<uint8_t>(params.quantPre);
    record.layout = static_cast<uint8_t>(layout);
    record.relu = params.reluEn;
    record.unit_flag = params.unitFlag;
    record.channel_split = params.isChannelSplit;
    if (dst.memory == static_cast<uint64_t>(Memory::GM)) record.atomic = static_cast<uint8_t>(core()->atomic_op);
    issue(record, Op::fixpipe, Pipe::FIX, dtype_of<T>(), dtype_of<U>());
}

// The older route keeps its ND regions in a register: number, source stride, destination stride.
ACLIMB_API AscendC::FixpipeParamsV220 from_older(const AscendC::DataCopyCO12DstParams& older) {
    const CoreView* view = core();
    AscendC::FixpipeParamsV220 params;
    params.nSize = older.nSize;
    params.mSize = older.mSize;
    params.srcStride = older.srcStride;
    params.dstStride = older.dstStride;
    params.quantPre = older.quantPre;
    params.deqScalar = view->deq_scale;
    params.reluEn = older.reluPre != 0;
    params.unitFlag = older.unitFlag;
    params.isChannelSplit = older.channelSplit;
    if (older.nz2ndEn && view->nz2nd[0]) {
        params.ndNum = static_cast<uint16_t>(view->nz2nd[0]);
        params.srcNdStride = static_cast<uint16_t>(view->nz2nd[1]);
        params.dstNdStride = static_cast<uint16_t>(view->nz2nd[2]);
    }
    if (older.clipReluPre || older.eltWiseOp)
        misuse(MisuseKind::unsupported, "DataCopy with DataCopyCO12DstParams: clipReluPre and eltWiseOp are not supported; leave them 0");
    return params;
}

} // namespace aclimb

namespace AscendC {

template <typename T, typename U, const FixpipeConfig& config = CFG_ROW_MAJOR>
ACLIMB_API void Fixpipe(const GlobalTensor<T>& dst, const LocalTensor<U>& src, const FixpipeParamsV220& intriParams) {
    if constexpr (aclimb::cube_call(); aclimb::kIsCube && aclimb::check_fixpipe<T, U>())
        aclimb::fixpipe<T, U>(dst.place, src.place, aclimb::kNowhere, aclimb::layout_of(config.format), intriParams);
}
template <typename T, typename U, const FixpipeConfig& config = CFG_NZ>
ACLIMB_API void Fixpipe(const LocalTensor<T>& dst, const LocalTensor<U>& src, const FixpipeParamsV220& intriParams) {
    if constexpr (aclimb::cube_call(); aclimb::kIsCube && aclimb::check_fixpipe<T, U>())
        aclimb::fixpipe<T, U>(dst.place, src.place, aclimb::kNowhere, aclimb::layout_of(config.format), intriParams);
}
// One 64-bit quantisation word a column.
template <typename T, typename U, const FixpipeConfig& config = CFG_ROW_MAJOR>
ACLIMB_API void Fixpipe(const GlobalTensor<T>& dst, const LocalTensor<U>& src, const LocalTensor<uint64_t>& cbufWorkspace,
                        const FixpipeParamsV220& intriParams) {
    if constexpr (aclimb::cube_call(); aclimb::kIsCube && aclimb::check_fixpipe<T, U>())
        aclimb::fixpipe<T, U>(dst.place, src.place, cbufWorkspace.place, aclimb::layout_of(config.format), intriParams);
}
template <typename T, typename U, const FixpipeConfig& config = CFG_NZ>
ACLIMB_API void Fixpipe(const LocalTensor<T>& dst, const LocalTensor<U>& src, const LocalTensor<uint64_t>& cbufWorkspace,
                        const FixpipeParamsV220& intriParams) {
    if constexpr (aclimb::cube_call(); aclimb::kIsCube && aclimb::check_fixpipe<T, U>())
        aclimb::fixpipe<T, U>(dst.place, src.place, cbufWorkspace.place, aclimb::layout_of(config.format), intriParams);
}

template <typename T, typename U>
ACLIMB_API void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<U>& src, const DataCopyCO12DstParams& intriParams) {
    if constexpr (aclimb::cube_call(); aclimb::kIsCube && aclimb::check_fixpipe<T, U>())
        aclimb::fixpipe<T, U>(dst.place, src.place, aclimb::kNowhere,
                              intriParams.nz2ndEn ? aclimb::FixpipeLayout::row_major : aclimb::FixpipeLayout::nz,
                              aclimb::from_older(intriParams));
}
template <typename T, typename U>
ACLIMB_API void DataCopy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const DataCopyCO12DstParams& intriParams) {
    if constexpr (aclimb::cube_call(); aclimb::kIsCube && aclimb::check_fixpipe<T, U>())
        aclimb::fixpipe<T, U>(dst.place, src.place, aclimb::kNowhere,
                              intriParams.nz2ndEn ? aclimb::FixpipeLayout::row_major : aclimb::FixpipeLayout::nz,
                              aclimb::from_older(intriParams));
}
ACLIMB_API void SetFixpipeNz2ndFlag(uint16_t ndNum, uint16_t srcNdStride, uint16_t dstNdStride) {
    uint64_t* nz2nd = aclimb::core()->nz2nd;
    nz2nd[0] = ndNum;
    nz2nd[1] = srcNdStride;
    nz2nd[2] = dstNdStride;
}
ACLIMB_API void SetFixpipePreQuantFlag(uint64_t config) { aclimb::core()->deq_scale = config; }

} // namespace AscendC
