// SPDX-License-Identifier: Apache-2.0
// Scratch of calls that Atlas A2 and A3 do not have. Host code that serves several products asks for it; a kernel for these two cannot
// make the calls, and the answer is 0.
#pragma once
#include "aclimb/library/configs.h"
#include "aclimb/library/host_words.h"

namespace AscendC {

#define ACLIMB_ABSENT_SIZES(name, ...)                                                                                                     \
    inline void Get##name##MaxMinTmpSize(__VA_ARGS__, uint32_t& maxValue, uint32_t& minValue) { maxValue = minValue = 0; }
#define ACLIMB_ABSENT_FACTOR(name, ...)                                                                                                    \
    inline void Get##name##TmpBufferFactorSize(__VA_ARGS__ uint32_t& maxLiveNodeCount, uint32_t& extraBuf) {                               \
        maxLiveNodeCount = extraBuf = 0;                                                                                                   \
    }
#define ACLIMB_ABSENT(name)                                                                                                                \
    ACLIMB_ABSENT_SIZES(name, const platform_ascendc::PlatformAscendC&, const ge::Shape&, const uint32_t, const bool)                      \
    ACLIMB_ABSENT_FACTOR(name, const platform_ascendc::PlatformAscendC&, const uint32_t, )
ACLIMB_ABSENT(BitwiseAnd)
ACLIMB_ABSENT(BitwiseNot)
ACLIMB_ABSENT(BitwiseOr)
ACLIMB_ABSENT(BitwiseXor)
ACLIMB_ABSENT(Fma)
ACLIMB_ABSENT(IsInf)
ACLIMB_ABSENT(IsNan)
ACLIMB_ABSENT(LogicalAnd)
ACLIMB_ABSENT(LogicalAnds)
ACLIMB_ABSENT(LogicalNot)
ACLIMB_ABSENT(LogicalOr)
ACLIMB_ABSENT(LogicalOrs)
ACLIMB_ABSENT(LogicalXor)
ACLIMB_ABSENT(Rint)
ACLIMB_ABSENT(SinCos)
ACLIMB_ABSENT(Where)
// Arguments of their own.
ACLIMB_ABSENT_SIZES(Hypot, const ge::Shape&, const uint32_t, const bool)
ACLIMB_ABSENT_FACTOR(Hypot, const uint32_t, )
ACLIMB_ABSENT_SIZES(Quantize, const ge::Shape&, const uint32_t)
ACLIMB_ABSENT_FACTOR(Quantize, )
ACLIMB_ABSENT_SIZES(Dequantize, const ge::Shape&, const uint32_t)
ACLIMB_ABSENT_FACTOR(Dequantize, const ge::Shape&, )
ACLIMB_ABSENT_SIZES(AntiQuantize, const ge::Shape&, const ge::Shape&, bool, ge::DataType, ge::DataType)
ACLIMB_ABSENT_FACTOR(AntiQuantize, const ge::Shape&, const ge::Shape&, ge::DataType, ge::DataType, )
// The form of Sort with a SortConfig; that of these products asks GetSortTmpSize.
ACLIMB_ABSENT_SIZES(Sort, const ge::Shape&, ge::DataType, ge::DataType, bool, const SortConfig&)
#undef ACLIMB_ABSENT
#undef ACLIMB_ABSENT_FACTOR
#undef ACLIMB_ABSENT_SIZES

} // namespace AscendC
