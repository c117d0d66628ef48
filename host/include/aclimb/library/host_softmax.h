// SPDX-License-Identifier: Apache-2.0
// Scratch and tilings of the soft-max family. A tiling function is given the scratch that the kernel will have.
#pragma once
#include "aclimb/library/host_words.h"
#include "aclimb/library/softmax_sizes.h"

namespace aclimb {
namespace library {
inline Sizes row_sizes(const RowVectors& need, const ge::Shape& shape) { return need.sizes(rows_of(shape), columns_of(shape)); }
template <class Tiling> void fill_softmax(Tiling& tiling, const RowVectors& need, const ge::Shape& shape, uint32_t size, uint32_t bytes) {
    AclimbAssign(tiling,
                 softmax_tiling(need, static_cast<uint32_t>(rows_of(shape)), static_cast<uint32_t>(columns_of(shape)), size, bytes));
}
} // namespace library
} // namespace aclimb

namespace AscendC {

inline uint32_t GetSoftMaxMaxTmpSize(const ge::Shape& srcShape, const uint32_t, const bool) {
    return aclimb::library::row_sizes(aclimb::library::needs::SoftMax, srcShape).max;
}
inline uint32_t GetSoftMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t, const bool) {
    return aclimb::library::row_sizes(aclimb::library::needs::SoftMax, srcShape).min;
}
template <class Tiling> inline void SoftMaxTilingFunc(const ge::Shape& srcShape, const uint32_t dataTypeSize,
                                                      const uint32_t localWorkSpaceSize, Tiling& softmaxTiling) {
    aclimb::library::fill_softmax(softmaxTiling, aclimb::library::needs::SoftMax, srcShape, dataTypeSize, localWorkSpaceSize);
}

inline uint32_t GetSoftMaxFlashMaxTmpSize(const ge::Shape& srcShape, const uint32_t, const bool, const bool) {
    return aclimb::library::row_sizes(aclimb::library::needs::SoftmaxFlash, srcShape).max;
}
inline uint32_t GetSoftMaxFlashMinTmpSize(const ge::Shape& srcShape, const uint32_t, const bool, const bool) {
    return aclimb::library::row_sizes(aclimb::library::needs::SoftmaxFlash, srcShape).min;
}
template <class Tiling> inline void SoftMaxFlashTilingFunc(const ge::Shape& srcShape, const uint32_t dataTypeSize,
                                                           const uint32_t localWorkSpaceSize, Tiling& softmaxFlashTiling,
                                                           const bool = false) {
    aclimb::library::fill_softmax(softmaxFlashTiling, aclimb::library::needs::SoftmaxFlash, srcShape, dataTypeSize, localWorkSpaceSize);
}

inline uint32_t GetSoftMaxFlashV2MaxTmpSize(const ge::Shape& srcShape, const uint32_t, const uint32_t, const bool, const bool = false,
                                            const bool = false) {
    return aclimb::library::row_sizes(aclimb::library::needs::SoftmaxFlashV2, srcShape).max;
}
inline uint32_t GetSoftMaxFlashV2MinTmpSize(const ge::Shape& srcShape, const uint32_t, const uint32_t, const bool, const bool = false,
                                            const bool = false) {
    return aclimb::library::row_sizes(aclimb::library::needs::SoftmaxFlashV2, srcShape).min;
}
template <class Tiling> inline void SoftMaxFlashV2TilingFunc(const ge::Shape& srcShape, const uint32_t, const uint32_t dataTypeSize2,
                                                             const uint32_t localWorkSpaceSize, Tiling& softmaxFlashTiling, const bool,
                                                             const bool = false, const bool = false) {
    aclimb::library::fill_softmax(softmaxFlashTiling, aclimb::library::needs::SoftmaxFlashV2, srcShape, dataTypeSize2, localWorkSpaceSize);
}

inline void GetSoftMaxFlashV3MaxMinTmpSize(const ge::Shape& srcShape, const uint32_t, const uint32_t, uint32_t& maxValue,
                                           uint32_t& minValue, const bool, const bool = false) {
    aclimb::library::give(aclimb::library::row_sizes(aclimb::library::needs::SoftmaxFlashV3, srcShape), maxValue, minValue);
}
template <class Tiling> inline void SoftMaxFlashV3TilingFunc(const ge::Shape& srcShape, const uint32_t, const uint32_t dataTypeSize2,
                                                             const uint32_t localWorkSpaceSize, Tiling& softmaxFlashV3Tiling, const bool,
                                                             const bool = false) {
    aclimb::library::fill_softmax(softmaxFlashV3Tiling, aclimb::library::needs::SoftmaxFlashV3, srcShape, dataTypeSize2,
                                  localWorkSpaceSize);
}

inline uint32_t GetSoftMaxGradMaxTmpSize(const ge::Shape& srcShape, const uint32_t, const bool, const bool) {
    return aclimb::library::row_sizes(aclimb::library::needs::SoftmaxGrad, srcShape).max;
}
inline uint32_t GetSoftMaxGradMinTmpSize(const ge::Shape& srcShape, const uint32_t, const bool, const bool) {
    return aclimb::library::row_sizes(aclimb::library::needs::SoftmaxGrad, srcShape).min;
}
template <class Tiling> inline void SoftMaxGradTilingFunc(const ge::Shape& srcShape, const uint32_t dataTypeSize,
                                                          const uint32_t localWorkSpaceSize, Tiling& softmaxGradTiling,
                                                          const bool = false) {
    aclimb::library::fill_softmax(softmaxGradTiling, aclimb::library::needs::SoftmaxGrad, srcShape, dataTypeSize, localWorkSpaceSize);
}

inline uint32_t GetLogSoftMaxMaxTmpSize(const ge::Shape srcShape, const uint32_t, const bool) {
    return aclimb::library::row_sizes(aclimb::library::needs::LogSoftMax, srcShape).max;
}
inline uint32_t GetLogSoftMaxMinTmpSize(const ge::Shape srcShape, const uint32_t, const bool) {
    return aclimb::library::row_sizes(aclimb::library::needs::LogSoftMax, srcShape).min;
}
template <class Tiling> inline void LogSoftMaxTilingFunc(const ge::Shape srcShape, const uint32_t dataTypeSize,
                                                         const uint32_t localWorkSpaceSize, Tiling& softmaxTiling) {
    const uint32_t rows = static_cast<uint32_t>(aclimb::library::rows_of(srcShape)),
                   columns = static_cast<uint32_t>(aclimb::library::columns_of(srcShape));
    const tiling::SoftMaxTiling same =
        aclimb::library::softmax_tiling(aclimb::library::needs::LogSoftMax, rows, columns, dataTypeSize, localWorkSpaceSize);
    tiling::LogSoftMaxTiling made;
    static_assert(sizeof made == sizeof same, "the same fields");
    __builtin_memcpy(static_cast<void*>(&made), &same, sizeof made);
    using aclimb::library::AclimbAssign;
    AclimbAssign(softmaxTiling, made);
}

// Rows that are multiples of 8, columns of 64, up to 2047: a hint for speed that changes no result.
template <class Tiling> inline bool IsBasicBlockInSoftMax(Tiling& tiling, const uint32_t dataTypeSize = 2) {
    tiling::SoftMaxTiling plain;
    using aclimb::library::AclimbAssign;
    AclimbAssign(plain, tiling);
    return aclimb::library::is_basic_block(plain, dataTypeSize);
}

} // namespace AscendC
