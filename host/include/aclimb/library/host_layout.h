// SPDX-License-Identifier: Apache-2.0
// Scratch and tilings of sorting, of calls that move elements, and of filters.
#pragma once
#include "aclimb/library/host_words.h"
#include "aclimb/library/layout_sizes.h"
#include "aclimb/library/sort_sizes.h"
#include "kernel_tiling/layout_tilings.h"
#include "kernel_tiling/sort_tilings.h"

namespace AscendC {

inline bool GetTopKMaxMinTmpSize(const int32_t inner, const int32_t outter, const int32_t, const bool, const bool, TopKMode mode,
                                 const bool, TensorDataType, const TopKConfig&, uint32_t& maxValue, uint32_t& minValue) {
    aclimb::library::give(
        aclimb::library::topk_sizes(static_cast<uint64_t>(inner), static_cast<uint64_t>(outter), mode == TopKMode::TOPK_NSMALL), maxValue,
        minValue);
    return inner > 0 && outter > 0;
}
inline bool GetTopKMaxMinTmpSize(const platform_ascendc::PlatformAscendC&, const int32_t inner, const int32_t outter,
                                 const bool isReuseSource, const bool isInitIndex, TopKMode mode, const bool isLargest, const uint32_t,
                                 uint32_t& maxValue, uint32_t& minValue) {
    return GetTopKMaxMinTmpSize(inner, outter, 1, isReuseSource, isInitIndex, mode, isLargest, ge::DT_FLOAT, {}, maxValue, minValue);
}
template <class Tiling> inline bool TopKTilingFunc(const platform_ascendc::PlatformAscendC&, const int32_t inner, const int32_t outter,
                                                   const int32_t k, const uint32_t dataTypeSize, const bool, TopKMode mode, const bool,
                                                   Tiling& topKTiling) {
    using aclimb::library::AclimbAssign;
    AclimbAssign(topKTiling, aclimb::library::topk_tiling(inner, outter, k, dataTypeSize, mode == TopKMode::TOPK_NSMALL));
    return inner > 0 && outter > 0 && k > 0;
}
// The pairs once more; Concat needs nothing on Atlas A2 and A3.
inline uint32_t GetSortTmpSize(const platform_ascendc::PlatformAscendC&, const uint32_t elemCount, const uint32_t) {
    return aclimb::library::sort_bytes(elemCount);
}
inline uint32_t GetConcatTmpSize(const platform_ascendc::PlatformAscendC&, const uint32_t, const uint32_t) { return 0; }

// --- layout
inline void GetBroadCastMaxMinTmpSize(const platform_ascendc::PlatformAscendC&, const ge::Shape&, const ge::Shape& dstShape,
                                      uint32_t typeSize, const bool, uint32_t& maxValue, uint32_t& minValue) {
    aclimb::library::give(
        aclimb::library::broadcast_sizes(aclimb::library::rows_of(dstShape), aclimb::library::columns_of(dstShape), typeSize), maxValue,
        minValue);
}
inline void GetPadMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize, uint32_t& maxValue, uint32_t& minValue) {
    aclimb::library::give(aclimb::library::pad_sizes(aclimb::library::columns_of(srcShape), typeSize), maxValue, minValue);
}
template <class Tiling>
inline void PadTilingFunc(const ge::Shape srcShape, const ge::Shape oriSrcShape, const uint32_t, const uint32_t, Tiling& tiling) {
    using namespace aclimb::library;
    tiling::PadTiling made;
    made.srcHeight = static_cast<uint32_t>(rows_of(srcShape));
    made.srcWidth = static_cast<uint32_t>(columns_of(srcShape));
    made.srcOriHeight = static_cast<uint32_t>(rows_of(oriSrcShape));
    made.srcOriWidth = static_cast<uint32_t>(columns_of(oriSrcShape));
    AclimbAssign(tiling, made);
}
inline void GetUnPadMaxMinTmpSize(const platform_ascendc::PlatformAscendC&, const ge::Shape&, const uint32_t, uint32_t& maxValue,
                                  uint32_t& minValue) {
    aclimb::library::give(aclimb::library::unpad_sizes(), maxValue, minValue);
}
template <class Tiling> inline void UnPadTilingFunc(const ge::Shape srcShape, const uint32_t, const uint32_t, Tiling& tiling) {
    using namespace aclimb::library;
    tiling::UnPadTiling made;
    made.srcHeight = static_cast<uint32_t>(rows_of(srcShape));
    made.srcWidth = static_cast<uint32_t>(columns_of(srcShape));
    AclimbAssign(tiling, made);
}
inline void GetTransposeMaxMinTmpSize(const ge::Shape&, const uint32_t, const uint32_t, uint32_t& maxValue, uint32_t& minValue) {
    aclimb::library::give(aclimb::library::transpose_sizes(), maxValue, minValue);
}
inline void GetConfusionTransposeMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize, const uint32_t transposeTypeIn,
                                               uint32_t& maxValue, uint32_t& minValue) {
    GetTransposeMaxMinTmpSize(srcShape, typeSize, transposeTypeIn, maxValue, minValue);
}
template <class Tiling> inline void GetTransposeTilingInfo(const ge::Shape& srcShape, const uint32_t, const uint32_t,
                                                           const uint32_t transposeTypeIn, Tiling& tiling) {
    using namespace aclimb::library;
    tiling::ConfusionTransposeTiling made;
    made.transposeType = transposeTypeIn;
    made.dim0 = static_cast<uint32_t>(dim_of(srcShape, 0));
    made.dim1 = static_cast<uint32_t>(dim_of(srcShape, 1));
    made.dim2 = static_cast<uint32_t>(dim_of(srcShape, 2));
    made.dim3 = static_cast<uint32_t>(dim_of(srcShape, 3));
    AclimbAssign(tiling, made);
}
template <class Tiling> inline void GetConfusionTransposeTilingInfo(const ge::Shape& srcShape, const uint32_t stackBufferSize,
                                                                    const uint32_t typeSize, const uint32_t transposeTypeIn,
                                                                    Tiling& tiling) {
    GetTransposeTilingInfo(srcShape, stackBufferSize, typeSize, transposeTypeIn, tiling);
}
template <class Tiling> inline void GetConfusionTransposeOnlyTilingInfo(const ge::Shape& srcShape, const uint32_t stackBufferSize,
                                                                        const uint32_t typeSize, Tiling& tiling) {
    GetTransposeTilingInfo(srcShape, stackBufferSize, typeSize, 7, tiling);
}
// NCDHW is the shape with five dims.
inline bool GetTransDataMaxMinTmpSize(const platform_ascendc::PlatformAscendC&, const ge::Shape& srcShape, const ge::Shape& dstShape,
                                      const TensorDataType, const TransDataConfig&, uint32_t& maxValue, uint32_t& minValue) {
    const ge::Shape& images = srcShape.GetDimNum() == 5 ? srcShape : dstShape;
    aclimb::library::give(aclimb::library::trans_data_sizes(aclimb::library::dim_of(images, 3) * aclimb::library::dim_of(images, 4)),
                          maxValue, minValue);
    return images.GetDimNum() == 5;
}

// --- filters
inline uint32_t GetDropOutMaxTmpSize(const ge::Shape& srcShape, const uint32_t, const bool) {
    return aclimb::library::filter_sizes(aclimb::library::elements_of(srcShape)).max;
}
inline uint32_t GetDropOutMinTmpSize(const ge::Shape& srcShape, const uint32_t, const bool) {
    return aclimb::library::filter_sizes(aclimb::library::elements_of(srcShape)).min;
}
inline void GetDropOutMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t, const bool, uint32_t& maxValue, uint32_t& minValue) {
    aclimb::library::give(aclimb::library::filter_sizes(aclimb::library::elements_of(srcShape)), maxValue, minValue);
}
#define ACLIMB_SELECT_SIZES(name)                                                                                                          \
    inline void Get##name##MaxMinTmpSize(const ge::Shape& src0Shape, const ge::Shape& src1Shape, const uint32_t, const ge::Shape&,         \
                                         const uint32_t, const bool, uint32_t& maxValue, uint32_t& minValue) {                             \
        const uint64_t first = aclimb::library::elements_of(src0Shape), second = aclimb::library::elements_of(src1Shape);                  \
        aclimb::library::give(aclimb::library::filter_sizes(first > second ? first : second), maxValue, minValue);                         \
    }                                                                                                                                      \
    inline uint32_t Get##name##MaxTmpSize(const ge::Shape& src0Shape, const ge::Shape& src1Shape, const uint32_t srcTypeSize,              \
                                          const ge::Shape& maskShape, const uint32_t maskTypeSize, const bool isReuseMask) {               \
        uint32_t max = 0, min = 0;                                                                                                         \
        Get##name##MaxMinTmpSize(src0Shape, src1Shape, srcTypeSize, maskShape, maskTypeSize, isReuseMask, max, min);                       \
        return max;                                                                                                                        \
    }                                                                                                                                      \
    inline uint32_t Get##name##MinTmpSize(const ge::Shape& src0Shape, const ge::Shape& src1Shape, const uint32_t srcTypeSize,              \
                                          const ge::Shape& maskShape, const uint32_t maskTypeSize, const bool isReuseMask) {               \
        uint32_t max = 0, min = 0;                                                                                                         \
        Get##name##MaxMinTmpSize(src0Shape, src1Shape, srcTypeSize, maskShape, maskTypeSize, isReuseMask, max, min);                       \
        return min;                                                                                                                        \
    }
ACLIMB_SELECT_SIZES(Select)
ACLIMB_SELECT_SIZES(SelectWithBytesMask)
#undef ACLIMB_SELECT_SIZES

} // namespace AscendC
