// SPDX-License-Identifier: Apache-2.0
// Scratch of reductions and of quantisation.
#pragma once
#include "aclimb/library/cumsum_sizes.h"
#include "aclimb/library/host_words.h"
#include "aclimb/library/quant_sizes.h"
#include "aclimb/library/reduction_sizes.h"

namespace AscendC {

inline void GetSumMaxMinTmpSize(const uint32_t n, const uint32_t typeSize, const bool, uint32_t& maxValue, uint32_t& minValue) {
    aclimb::library::give(aclimb::library::sum_sizes(n, typeSize), maxValue, minValue);
}
inline void GetMeanMaxMinTmpSize(const uint32_t n, const uint32_t srcTypeSize, const uint32_t accTypeSize, const bool, uint32_t& maxValue,
                                 uint32_t& minValue) {
    aclimb::library::give(aclimb::library::mean_sizes(n, srcTypeSize, accTypeSize), maxValue, minValue);
}
inline void GetMeanTmpBufferFactorSize(const uint32_t typeSize, uint32_t& maxLiveNodeCount, uint32_t& extraBuf) {
    // Of float, sums of 64 and a number for each; of half, four rows as floats besides.
    maxLiveNodeCount = typeSize == 4 ? 1 : aclimb::library::kRowsOfMean * 4 / typeSize + 1;
    const uint32_t sums = aclimb::library::mean_sizes(256, typeSize, typeSize).max, wide = aclimb::library::mean_sizes(32, 2, 4).max;
    extraBuf = (typeSize == 2 && wide > sums ? wide : sums) + 32;
}

#define ACLIMB_REDUCE_SIZES(name, kind)                                                                                                    \
    inline void Get##name##MaxMinTmpSize(const ge::Shape& srcShape, const ge::DataType dataType, ReducePattern pattern, bool, bool,        \
                                         uint32_t& maxValue, uint32_t& minValue) {                                                         \
        const uint32_t size = dataType == ge::DT_FLOAT ? 4 : dataType == ge::DT_FLOAT16 ? 2 : 1;                                           \
        aclimb::library::give(aclimb::library::reduction_sizes(aclimb::library::Reduction::kind, pattern == ReducePattern::AR,             \
                                                               static_cast<uint32_t>(aclimb::library::rows_of(srcShape)),                  \
                                                               static_cast<uint32_t>(aclimb::library::columns_of(srcShape)), size),        \
                              maxValue, minValue);                                                                                         \
    }
ACLIMB_REDUCE_SIZES(ReduceSum, sum)
ACLIMB_REDUCE_SIZES(ReduceMean, mean)
ACLIMB_REDUCE_SIZES(ReduceMax, max)
ACLIMB_REDUCE_SIZES(ReduceMin, min)
ACLIMB_REDUCE_SIZES(ReduceProd, prod)
ACLIMB_REDUCE_SIZES(ReduceAny, any)
ACLIMB_REDUCE_SIZES(ReduceAll, all)
#undef ACLIMB_REDUCE_SIZES
inline void GetReduceXorSumMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t, const bool, uint32_t& maxValue, uint32_t& minValue) {
    aclimb::library::give(aclimb::library::xor_sum_sizes(aclimb::library::elements_of(srcShape)), maxValue, minValue);
}
inline void GetCumSumMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize, const bool isLastAxis, const bool,
                                   uint32_t& maxValue, uint32_t& minValue) {
    aclimb::library::give(
        aclimb::library::cumsum_sizes(aclimb::library::rows_of(srcShape), aclimb::library::columns_of(srcShape), typeSize, isLastAxis),
        maxValue, minValue);
}

// --- quantisation
inline void GetAscendQuantMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize, uint32_t& maxValue, uint32_t& minValue) {
    aclimb::library::give(aclimb::library::quant_sizes(aclimb::library::elements_of(srcShape), typeSize), maxValue, minValue);
}
inline void GetAscendQuantTmpBufferFactorSize(uint32_t& maxLiveNodeCount, uint32_t& extraBuf) {
    maxLiveNodeCount = aclimb::library::quant_vectors(4); // of halves, for a source of either type
    extraBuf = maxLiveNodeCount * 32;
}
inline void GetAscendDequantMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t, uint32_t& maxValue, uint32_t& minValue) {
    aclimb::library::give(aclimb::library::dequant_sizes(aclimb::library::elements_of(srcShape)), maxValue, minValue);
}
inline void GetAscendDequantTmpBufferFactorSize(const ge::Shape&, uint32_t& maxLiveNodeCount, uint32_t& extraBuf) {
    maxLiveNodeCount = 2;
    extraBuf = 2 * 32;
}
inline void GetAscendAntiQuantMaxMinTmpSize(const ge::Shape& srcShape, const ge::Shape&, bool isTranspose, ge::DataType,
                                            ge::DataType outputDataType, uint32_t& maxValue, uint32_t& minValue) {
    aclimb::library::give(
        aclimb::library::anti_quant_sizes(aclimb::library::elements_of(srcShape), isTranspose, outputDataType == ge::DT_FLOAT16), maxValue,
        minValue);
}
inline uint32_t GetAscendAntiQuantMaxTmpSize(const ge::Shape& srcShape, const ge::Shape& scaleShape, bool isTranspose,
                                             ge::DataType inputDataType, ge::DataType outputDataType) {
    uint32_t max = 0, min = 0;
    GetAscendAntiQuantMaxMinTmpSize(srcShape, scaleShape, isTranspose, inputDataType, outputDataType, max, min);
    return max;
}
inline uint32_t GetAscendAntiQuantMinTmpSize(const ge::Shape& srcShape, const ge::Shape& scaleShape, bool isTranspose,
                                             ge::DataType inputDataType, ge::DataType outputDataType) {
    uint32_t max = 0, min = 0;
    GetAscendAntiQuantMaxMinTmpSize(srcShape, scaleShape, isTranspose, inputDataType, outputDataType, max, min);
    return min;
}
inline void GetAscendAntiQuantTmpBufferFactorSize(const ge::Shape&, const ge::Shape&, bool isTranspose, ge::DataType,
                                                  ge::DataType outputDataType, uint32_t& maxLiveNodeCount, uint32_t& extraBuf) {
    maxLiveNodeCount = outputDataType == ge::DT_FLOAT16 ? 0 : aclimb::library::kBytesOfAntiQuant;
    extraBuf = (isTranspose ? aclimb::library::kSpreadNumbers : 0) + 640;
}

} // namespace AscendC
