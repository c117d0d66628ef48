// SPDX-License-Identifier: Apache-2.0
// The forms of DataCopy that Ascend C makes of several plain ones: slices of tensors, NZ in UB to ND in GM, ND in GM to NZ in UB.
#pragma once
#include "aclimb/data_copy.h"

namespace aclimb {

// One side of a slice copy. The first dimension goes in runs of burstLen blocks, `stride` elements apart; the others one index at a time,
// `stride` indices apart.
template <typename T> struct SliceWalk {
    const AscendC::SliceInfo* info;

    ACLIMB_API uint32_t run() const { return info[0].burstLen * static_cast<uint32_t>(AscendC::ONE_BLK_SIZE / sizeof(T)); }
    ACLIMB_API uint32_t length(uint32_t dim) const { return dim == 0 ? run() : 1; }
    ACLIMB_API uint32_t extent(uint32_t dim) const { return info[dim].endIndex - info[dim].startIndex + 1; }
    ACLIMB_API uint32_t count(uint32_t dim) const { return (extent(dim) + info[dim].stride) / (length(dim) + info[dim].stride); }
    ACLIMB_API bool is_whole(uint32_t dim) const { // the slice ends with a run
        const AscendC::SliceInfo& each = info[dim];
        return length(dim) && each.endIndex >= each.startIndex && each.endIndex <= each.shapeValue &&
               count(dim) * (length(dim) + each.stride) == extent(dim) + each.stride;
    }
    // Elements to the row at these places of the dimensions from the second on.
    ACLIMB_API uint64_t offset(const uint32_t* places, uint32_t dims) const {
        uint64_t at = info[0].startIndex, pitch = info[0].shapeValue;
        for (uint32_t dim = 1; dim < dims; dim++) {
            at += pitch * (info[dim].startIndex + uint64_t{places[dim]} * (1 + info[dim].stride));
            pitch *= info[dim].shapeValue;
        }
        return at;
    }
};

template <typename T> ACLIMB_API bool check_slices(const SliceWalk<T>& dst, const SliceWalk<T>& src, uint32_t dims) {
    require_range("dimValue of DataCopy", dims, 1, 8);
    for (uint32_t dim = 0; dim < dims; dim++) {
        if (!dst.is_whole(dim) || !src.is_whole(dim))
            misuse(MisuseKind::unsupported,
                   "DataCopy of slices: endIndex - startIndex + 1 is (n - 1) * stride + n * burstLen blocks for a whole n, and endIndex lies in "
                   "shapeValue; from the second dimension on a block is one index");
        if (dst.count(dim) != src.count(dim) || dst.info[dim].burstLen != src.info[dim].burstLen)
            misuse(MisuseKind::unsupported, "DataCopy of slices: source and destination have the same burstLen and the same number of runs "
                                            "in every dimension");
    }
    return true;
}

// issue(destination offset, source offset) for every row of the slices, in bytes.
template <typename T, typename F> ACLIMB_API void each_row(const SliceWalk<T>& dst, const SliceWalk<T>& src, uint32_t dims, F&& issue_row) {
    uint32_t places[8] = {};
    for (bool more = true; more;) {
        issue_row(static_cast<int64_t>(dst.offset(places, dims) * sizeof(T)), static_cast<int64_t>(src.offset(places, dims) * sizeof(T)));
        more = false;
        for (uint32_t dim = 1; dim < dims && !more; dim++) {
            more = ++places[dim] < dst.count(dim);
            if (!more) places[dim] = 0;
        }
    }
}

template <typename T> ACLIMB_API Copy slice_row(const Place& dst, const Place& src, const SliceWalk<T>& to, const SliceWalk<T>& from) {
    Copy record = bursts(dst, src, from.count(0), from.run() * static_cast<uint32_t>(sizeof(T)), sizeof(T));
    record.dst_gap = static_cast<int64_t>(to.info[0].stride * sizeof(T));
    record.src_gap = static_cast<int64_t>(from.info[0].stride * sizeof(T));
    const int64_t local = memory_at(dst) == Memory::GM ? record.src_gap : record.dst_gap;
    if (local % 32) misuse(MisuseKind::misaligned, "the stride of a slice in UB", local, 32);
    return record;
}

} // namespace aclimb

namespace AscendC {

// Slices of tensors of up to 8 dimensions, the innermost first.
template <typename T> ACLIMB_API void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const SliceInfo dstSliceInfo[],
                                               const SliceInfo srcSliceInfo[], const uint32_t dimValue = 1) {
    const aclimb::SliceWalk<T> to{dstSliceInfo}, from{srcSliceInfo};
    if (!aclimb::check_slices(to, from, dimValue)) return;
    aclimb::each_row(to, from, dimValue, [&](int64_t to_bytes, int64_t from_bytes) __attribute__((always_inline)) {
        aclimb::Copy record = aclimb::slice_row(aclimb::moved(dst.place, to_bytes), aclimb::moved(src.place, from_bytes), to, from);
        aclimb::copy_in(record, aclimb::dtype_of<T>());
    });
}
template <typename T> ACLIMB_API void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const SliceInfo dstSliceInfo[],
                                               const SliceInfo srcSliceInfo[], const uint32_t dimValue = 1) {
    const aclimb::SliceWalk<T> to{dstSliceInfo}, from{srcSliceInfo};
    if (!aclimb::check_slices(to, from, dimValue)) return;
    aclimb::each_row(to, from, dimValue, [&](int64_t to_bytes, int64_t from_bytes) __attribute__((always_inline)) {
        aclimb::Copy record = aclimb::slice_row(aclimb::moved(dst.place, to_bytes), aclimb::moved(src.place, from_bytes), to, from);
        aclimb::copy_out(record, aclimb::dtype_of<T>());
    });
}

// Column groups of 16 elements in UB to the rows of a matrix in GM.
template <typename T>
ACLIMB_API void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const Nz2NdParamsFull& intriParams) {
    static_assert(sizeof(T) == 2 || sizeof(T) == 4, "aclimb: DataCopy with Nz2NdParamsFull takes element types of 16 and 32 bits");
    constexpr int64_t group = 16 * sizeof(T);
    aclimb::require_range("ndNum of Nz2NdParamsFull", intriParams.ndNum, 0, 4095);
    aclimb::require_range("nValue of Nz2NdParamsFull", intriParams.nValue, 1, 8192);
    aclimb::require_range("dValue of Nz2NdParamsFull", intriParams.dValue, 16, 8192);
    aclimb::require_range("dValue of Nz2NdParamsFull modulo 16", intriParams.dValue % 16, 0, 0);
    for (uint32_t matrix = 0; matrix < intriParams.ndNum; matrix++)
        for (uint32_t column = 0; column < intriParams.dValue; column += 16) {
            const int64_t to = (int64_t{matrix} * intriParams.dstNdMatrixStride + column) * static_cast<int64_t>(sizeof(T));
            const int64_t from = (int64_t{matrix} * intriParams.srcNdMatrixStride * 16 + int64_t{column / 16} * intriParams.srcNStride) * group;
            aclimb::Copy record = aclimb::bursts(aclimb::moved(dst.place, to), aclimb::moved(src.place, from), intriParams.nValue,
                                                 static_cast<uint32_t>(group), sizeof(T));
            record.dst_gap = intriParams.dstDStride * static_cast<int64_t>(sizeof(T)) - group;
            aclimb::copy_out(record, aclimb::dtype_of<T>());
        }
}

} // namespace AscendC

namespace aclimb {

// Rows of a matrix in GM to column groups of 32 bytes in UB; the end of a row is filled with zeros.
template <typename T> ACLIMB_API void nd2nz_to_ub(const Place& dst, const Place& src, const AscendC::Nd2NzParams& params) {
    constexpr uint32_t c0 = AscendC::ONE_BLK_SIZE / sizeof(T);
    for (uint32_t matrix = 0; matrix < params.ndNum; matrix++)
        for (uint32_t column = 0; column < params.dValue; column += c0) {
            const uint32_t some = min_of<uint32_t>(c0, params.dValue - column);
            const int64_t to = int64_t{matrix} * params.dstNzMatrixStride * static_cast<int64_t>(sizeof(T)) +
                               int64_t{column / c0} * params.dstNzC0Stride * AscendC::ONE_BLK_SIZE;
            const int64_t from = (int64_t{matrix} * params.srcNdMatrixStride + column) * static_cast<int64_t>(sizeof(T));
            Copy record = bursts(moved(dst, to), moved(src, from), params.nValue, some * static_cast<uint32_t>(sizeof(T)), sizeof(T));
            record.src_gap = (int64_t{params.srcDValue} - some) * static_cast<int64_t>(sizeof(T));
            record.dst_gap = (int64_t{params.dstNzNStride} - 1) * AscendC::ONE_BLK_SIZE;
            if (some < c0) {
                record.pad = 2;
                record.right = static_cast<uint8_t>(c0 - some);
            }
            copy_in(record, dtype_of<T>());
        }
}

} // namespace aclimb
