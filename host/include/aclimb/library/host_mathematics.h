// SPDX-License-Identifier: Apache-2.0
// Scratch of calls that go element by element: Get<Call>MaxMinTmpSize, and Get<Call>TmpBufferFactorSize, which says how many vectors of the
// source's type are alive at once.
#pragma once
#include "aclimb/library/configs.h"
#include "aclimb/library/host_words.h"

namespace AscendC {

#define ACLIMB_CALL(name, ...)                                                                                                             \
    inline void Get##name##MaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize, const bool, uint32_t& maxValue,               \
                                         uint32_t& minValue) {                                                                             \
        aclimb::library::give(aclimb::library::needs::name.sizes(aclimb::library::elements_of(srcShape), typeSize), maxValue, minValue);   \
    }                                                                                                                                      \
    inline void Get##name##TmpBufferFactorSize(const uint32_t typeSize, uint32_t& maxLiveNodeCount, uint32_t& extraBuf) {                  \
        aclimb::library::give_factor(aclimb::library::needs::name, typeSize, maxLiveNodeCount, extraBuf);                                  \
    }
ACLIMB_DEFAULT_SIZES(ACLIMB_CALL)
#undef ACLIMB_CALL

// --- those with arguments of their own
inline bool GetExpMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize, const bool, uint32_t& maxValue, uint32_t& minValue) {
    aclimb::library::give(aclimb::library::needs::Exp.sizes(aclimb::library::elements_of(srcShape), typeSize), maxValue, minValue);
    return true;
}
inline void GetExpTmpBufferFactorSize(const uint32_t typeSize, uint32_t& maxLiveNodeCount, uint32_t& extraBuf) {
    aclimb::library::give_factor(aclimb::library::needs::Exp, typeSize, maxLiveNodeCount, extraBuf);
}
inline void GetSinMaxMinTmpSize(const SinConfig&, const ge::Shape& srcShape, const uint32_t typeSize, const bool isReuseSource,
                                uint32_t& maxValue, uint32_t& minValue) {
    GetSinMaxMinTmpSize(srcShape, typeSize, isReuseSource, maxValue, minValue);
}
inline void GetSinTmpBufferFactorSize(const SinConfig&, const uint32_t typeSize, uint32_t& maxLiveNodeCount, uint32_t& extraBuf) {
    GetSinTmpBufferFactorSize(typeSize, maxLiveNodeCount, extraBuf);
}
inline void GetCosMaxMinTmpSize(const CosConfig&, const ge::Shape& srcShape, const uint32_t typeSize, const bool isReuseSource,
                                uint32_t& maxValue, uint32_t& minValue) {
    GetCosMaxMinTmpSize(srcShape, typeSize, isReuseSource, maxValue, minValue);
}
inline void GetCosTmpBufferFactorSize(const CosConfig&, const uint32_t typeSize, uint32_t& maxLiveNodeCount, uint32_t& extraBuf) {
    GetCosTmpBufferFactorSize(typeSize, maxLiveNodeCount, extraBuf);
}
inline void GetRoundMaxMinTmpSize(const platform_ascendc::PlatformAscendC&, const ge::Shape& srcShape, const uint32_t typeSize,
                                  const bool isReuseSource, uint32_t& maxValue, uint32_t& minValue) {
    GetRoundMaxMinTmpSize(srcShape, typeSize, isReuseSource, maxValue, minValue);
}
inline void GetRoundTmpBufferFactorSize(const platform_ascendc::PlatformAscendC&, const uint32_t typeSize, uint32_t& maxLiveNodeCount,
                                        uint32_t& extraBuf) {
    GetRoundTmpBufferFactorSize(typeSize, maxLiveNodeCount, extraBuf);
}
// Of a scalar the shape is {1}.
inline void GetPowerMaxMinTmpSize(const ge::Shape& srcShape1, const ge::Shape& srcShape2, const bool, const uint32_t typeSize, const bool,
                                  uint32_t& maxValue, uint32_t& minValue) {
    const uint64_t first = aclimb::library::elements_of(srcShape1), second = aclimb::library::elements_of(srcShape2);
    aclimb::library::give(aclimb::library::needs::Power.sizes(first > second ? first : second, typeSize), maxValue, minValue);
}
inline void GetPowerTmpBufferFactorSize(const bool, const bool, const bool, const uint32_t typeSize, uint32_t& maxLiveNodeCount,
                                        uint32_t& extraBuf) {
    aclimb::library::give_factor(aclimb::library::needs::Power, typeSize, maxLiveNodeCount, extraBuf);
}

// --- activations
inline void GetGeluMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize, uint32_t& maxValue, uint32_t& minValue) {
    // One function for three calls: what the most demanding needs.
    aclimb::library::give(aclimb::library::needs::FasterGeluV2.sizes(aclimb::library::elements_of(srcShape), typeSize), maxValue, minValue);
}
inline uint32_t GetGeluMaxTmpSize(const ge::Shape& srcShape, const uint32_t typeSize) {
    return aclimb::library::needs::FasterGeluV2.sizes(aclimb::library::elements_of(srcShape), typeSize).max;
}
inline uint32_t GetGeluMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize) {
    return aclimb::library::needs::FasterGeluV2.sizes(aclimb::library::elements_of(srcShape), typeSize).min;
}
inline void GetSiluTmpSize(const ge::Shape& srcShape, const uint32_t typeSize, const bool, uint32_t& maxValue, uint32_t& minValue) {
    aclimb::library::give(aclimb::library::needs::Silu.sizes(aclimb::library::elements_of(srcShape), typeSize), maxValue, minValue);
}
inline void GetSwishTmpSize(const ge::Shape& srcShape, const uint32_t typeSize, const bool, uint32_t& maxValue, uint32_t& minValue) {
    aclimb::library::give(aclimb::library::needs::Swish.sizes(aclimb::library::elements_of(srcShape), typeSize), maxValue, minValue);
}
inline void GetSwiGLUMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize, uint32_t& maxValue, uint32_t& minValue, const bool) {
    aclimb::library::give(aclimb::library::needs::SwiGLU.sizes(aclimb::library::elements_of(srcShape), typeSize), maxValue, minValue);
}
inline void GetSwiGLUTmpBufferFactorSize(const uint32_t typeSize, uint32_t& maxLiveNodeCount, uint32_t& extraBuf) {
    aclimb::library::give_factor(aclimb::library::needs::SwiGLU, typeSize, maxLiveNodeCount, extraBuf);
}

// --- an arithmetic progression needs none
inline void GetArangeMaxMinTmpSize(uint32_t& maxValue, uint32_t& minValue) { maxValue = minValue = 0; }
inline void GetArithProgressionMaxMinTmpSize(uint32_t& maxValue, uint32_t& minValue) { maxValue = minValue = 0; }

} // namespace AscendC
