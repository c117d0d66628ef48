// SPDX-License-Identifier: Apache-2.0
// Scratch and tilings of normalisation. A kernel reads the shape of a tiling; the passes in it are those that so much scratch makes.
#pragma once
#include "aclimb/library/host_words.h"
#include "aclimb/library/norm_sizes.h"
#include "kernel_tiling/norm_tilings.h"

namespace aclimb {
namespace library {

// [B, S, H], and behind it, where a shape has four dims, how many of the H count. Fewer dims: all but the last are rows.
struct NormShape {
    uint32_t b = 1, s = 1, h = 0, original = 0;
    explicit NormShape(const ge::Shape& shape) {
        const auto dim = [&](size_t i) { return static_cast<uint32_t>(dim_of(shape, i)); };
        if (shape.GetDimNum() >= 3) {
            b = dim(0), s = dim(1), h = dim(2);
            original = shape.GetDimNum() > 3 ? dim(3) : h;
        } else {
            s = static_cast<uint32_t>(rows_of(shape));
            h = original = static_cast<uint32_t>(columns_of(shape));
        }
    }
    NormShape(const ge::Shape& shape, const ge::Shape& origin) : NormShape(shape) {
        if (columns_of(origin)) original = static_cast<uint32_t>(columns_of(origin));
    }
    uint32_t rows() const { return b * s; }
    Sizes sizes(const RowVectors& need) const { return need.sizes(rows(), h); }
    float reciprocal() const { return original ? 1.0f / static_cast<float>(original) : 0.0f; }
};

// The fields that LayerNormTiling and DeepNormTiling share.
template <class Tiling> Tiling layer_norm_tiling(const RowVectors& need, const NormShape& shape, uint32_t bytes) {
    Tiling t{};
    const uint32_t rows = need.rows_of(bytes, shape.rows(), shape.h);
    t.bLength = shape.b;
    t.sLength = shape.s;
    t.hLength = shape.h;
    t.originalHLength = shape.original;
    t.inputXSize = shape.rows() * shape.h;
    t.meanVarSize = t.meanTmpTensorSize = t.varianceTmpTensorSize = shape.rows();
    t.numberOfTmpBuf = need.wide;
    t.tmpBufSize = bytes / 4;
    t.oneTmpSize = t.inputRoundSize = t.bshCurLength = rows * shape.h;
    t.meanVarRoundSize = t.bsCurLength = rows;
    t.loopRound = rows ? shape.rows() / rows : 0;
    t.meanVarTailSize = rows ? shape.rows() % rows : 0;
    t.inputTailSize = t.meanVarTailSize * shape.h;
    t.meanVarTailPos = shape.rows() - t.meanVarTailSize;
    t.inputTailPos = t.meanVarTailPos * shape.h;
    t.lastDimValueBack = shape.reciprocal();
    return t;
}

} // namespace library
} // namespace aclimb

namespace AscendC {

// --- LayerNorm: with the variance, and with its reciprocal root
inline void GetLayerNormMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t, const bool, uint32_t& maxValue, uint32_t& minValue) {
    aclimb::library::give(aclimb::library::NormShape(srcShape).sizes(aclimb::library::needs::LayerNorm), maxValue, minValue);
}
inline void GetLayerNormMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize, const bool isReuseSource, const bool, const bool,
                                      uint32_t& maxValue, uint32_t& minValue) {
    GetLayerNormMaxMinTmpSize(srcShape, typeSize, isReuseSource, maxValue, minValue);
}
template <class Tiling> inline void GetLayerNormNDTilingInfo(const ge::Shape& srcShape, const uint32_t stackBufferSize, const uint32_t,
                                                             const bool, Tiling& tilling) {
    using namespace aclimb::library;
    AclimbAssign(tilling, layer_norm_tiling<tiling::LayerNormTiling>(needs::LayerNorm, NormShape(srcShape), stackBufferSize));
}
template <class Tiling> inline void GetLayerNormNDTilingInfo(const ge::Shape& srcShape, const uint32_t stackBufferSize, const uint32_t,
                                                             const bool, const bool, Tiling& tilling) {
    using namespace aclimb::library;
    const NormShape shape(srcShape);
    tiling::LayerNormSeparateTiling t{};
    const uint32_t rows = needs::LayerNorm.rows_of(stackBufferSize, shape.rows(), shape.h);
    t.aLength = shape.rows();
    t.rLength = shape.original;
    for (t.rHeadLength = 1; t.rHeadLength * 2 <= shape.original; t.rHeadLength *= 2) t.halfAddRepeatTimes++;
    t.inputXSize = shape.rows() * shape.h;
    t.meanVarSize = t.varianceTmpTensorSize = shape.rows();
    t.numberOfTmpBuf = needs::LayerNorm.wide;
    t.tmpBufSize = stackBufferSize / 4;
    t.oneTmpSize = t.inputRoundSize = t.arCurLength = rows * shape.h;
    t.meanVarRoundSize = t.aCurLength = rows;
    t.loopRound = rows ? shape.rows() / rows : 0;
    t.meanVarTailSize = rows ? shape.rows() % rows : 0;
    t.inputTailSize = t.meanVarTailSize * shape.h;
    t.rValueBack = t.k2RRec = shape.reciprocal();
    t.k2Rec = 1.0f / static_cast<float>(t.rHeadLength);
    AclimbAssign(tilling, t);
}
// As it was spelt once.
template <class Tiling> inline void GetLayerNormNDTillingInfo(const ge::Shape& srcShape, const uint32_t stackBufferSize,
                                                              const uint32_t typeSize, const bool isReuseSource, Tiling& tilling) {
    GetLayerNormNDTilingInfo(srcShape, stackBufferSize, typeSize, isReuseSource, tilling);
}

// --- RmsNorm
inline bool GetRmsNormMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t, uint32_t& maxValue, uint32_t& minValue, const bool = false) {
    aclimb::library::give(aclimb::library::NormShape(srcShape).sizes(aclimb::library::needs::RmsNorm), maxValue, minValue);
    return true;
}
inline uint32_t GetRmsNormMaxTmpSize(const ge::Shape& srcShape, const uint32_t, const bool = false) {
    return aclimb::library::NormShape(srcShape).sizes(aclimb::library::needs::RmsNorm).max;
}
inline uint32_t GetRmsNormMinTmpSize(const ge::Shape& srcShape, const uint32_t, const bool = false) {
    return aclimb::library::NormShape(srcShape).sizes(aclimb::library::needs::RmsNorm).min;
}
template <class Tiling> inline bool GetRmsNormTilingInfo(const ge::Shape& srcShape, const ge::Shape& originSrcShape,
                                                         const uint32_t stackBufferByteSize, const uint32_t, Tiling& tilling,
                                                         const bool = false) {
    using namespace aclimb::library;
    const NormShape shape(srcShape, originSrcShape);
    tiling::RmsNormTiling t{};
    const uint32_t rows = needs::RmsNorm.rows_of(stackBufferByteSize, shape.rows(), shape.h);
    t.bLength = shape.b;
    t.sLength = shape.s;
    t.hLength = shape.h;
    t.originalHLength = shape.original;
    t.reciprocalOfHLength = shape.reciprocal();
    t.mainBsLength = rows;
    t.mainBsLengthAlign = static_cast<uint32_t>(rounded_up(rows, 8));
    t.mainBshLength = rows * shape.h;
    t.loopRound = rows ? shape.rows() / rows : 0;
    t.tailBsLength = rows ? shape.rows() % rows : 0;
    t.tailBshLength = t.tailBsLength * shape.h;
    t.inputTailPos = (shape.rows() - t.tailBsLength) * shape.h;
    AclimbAssign(tilling, t);
    return stackBufferByteSize >= shape.sizes(needs::RmsNorm).min;
}

// --- DeepNorm
inline bool GetDeepNormMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t, const bool, const bool, uint32_t& maxValue,
                                     uint32_t& minValue) {
    aclimb::library::give(aclimb::library::NormShape(srcShape).sizes(aclimb::library::needs::DeepNorm), maxValue, minValue);
    return true;
}
template <class Tiling> inline bool GetDeepNormTilingInfo(const ge::Shape& srcShape, const ge::Shape& originSrcShape,
                                                          const uint32_t stackBufferSize, const uint32_t, const bool, const bool,
                                                          Tiling& tilling) {
    using namespace aclimb::library;
    const NormShape shape(srcShape, originSrcShape);
    AclimbAssign(tilling, layer_norm_tiling<tiling::DeepNormTiling>(needs::DeepNorm, shape, stackBufferSize));
    return stackBufferSize >= shape.sizes(needs::DeepNorm).min;
}

// --- BatchNorm: over the first axis
inline bool GetBatchNormMaxMinTmpSize(const ge::Shape& srcShape, const ge::Shape&, const uint32_t, const bool, uint32_t& maxValue,
                                      uint32_t& minValue, const bool = false) {
    const aclimb::library::NormShape shape(srcShape);
    aclimb::library::give(aclimb::library::batch_norm_sizes(uint64_t{shape.s} * shape.h), maxValue, minValue);
    return true;
}
template <class Tiling> inline bool GetBatchNormNDTilingInfo(const ge::Shape& srcShape, const ge::Shape& originSrcShape,
                                                             const uint32_t stackBufferByteSize, const uint32_t, const bool,
                                                             Tiling& tilling, const bool = false) {
    using namespace aclimb::library;
    const NormShape shape(srcShape);
    tiling::BatchNormTiling t{};
    t.originalBLength = dim_of(originSrcShape, 0) ? static_cast<uint32_t>(dim_of(originSrcShape, 0)) : shape.b;
    t.meanVarSize = t.shCurLength = shape.s * shape.h;
    t.bshCurLength = t.originalBLength * t.meanVarSize;
    t.tmpBufSize = stackBufferByteSize / 4;
    t.firstDimValueBack = t.originalBLength ? 1.0f / static_cast<float>(t.originalBLength) : 0.0f;
    AclimbAssign(tilling, t);
    return stackBufferByteSize >= batch_norm_sizes(t.meanVarSize).min;
}

// --- GroupNorm: [N, C, H, W]; a channel takes whole blocks
inline uint32_t AclimbChannelPitch(const ge::Shape& srcShape, uint32_t typeSize) {
    const uint64_t plane = aclimb::library::dim_of(srcShape, 2) * aclimb::library::dim_of(srcShape, 3);
    return static_cast<uint32_t>(aclimb::library::rounded_up(plane, 32 / typeSize));
}
inline void GetGroupNormMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize, const bool, const uint32_t groupNum,
                                      uint32_t& maxValue, uint32_t& minValue) {
    const uint64_t of_group = groupNum ? aclimb::library::dim_of(srcShape, 1) / groupNum : 0;
    aclimb::library::give(aclimb::library::group_norm_sizes(of_group, AclimbChannelPitch(srcShape, typeSize)), maxValue, minValue);
}
template <class Tiling> inline void GetGroupNormNDTilingInfo(const ge::Shape& srcShape, const uint32_t stackBufferSize,
                                                             const uint32_t typeSize, const bool, const uint32_t groupNum,
                                                             Tiling& tilling) {
    using namespace aclimb::library;
    tiling::GroupNormTiling t{};
    t.n = static_cast<uint32_t>(dim_of(srcShape, 0));
    t.c = static_cast<uint32_t>(dim_of(srcShape, 1));
    t.hw = static_cast<uint32_t>(dim_of(srcShape, 2) * dim_of(srcShape, 3));
    t.g = groupNum;
    t.d = groupNum ? t.c / groupNum : 0;
    t.hwAlignSize = AclimbChannelPitch(srcShape, typeSize);
    t.dhwAlignSize = t.d * t.hwAlignSize;
    t.inputXSize = t.n * t.c * t.hwAlignSize;
    t.meanVarSize = t.n * t.g;
    t.tmpBufSize = stackBufferSize / 4;
    t.factor = t.d * t.hw ? 1.0f / static_cast<float>(t.d * t.hw) : 0.0f;
    AclimbAssign(tilling, t);
}

// --- gradients: the scratch of a tiling is counted in elements
inline void GetLayerNormGradMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t, const bool, uint32_t& maxValue, uint32_t& minValue) {
    aclimb::library::give(aclimb::library::NormShape(srcShape).sizes(aclimb::library::needs::LayerNormGrad), maxValue, minValue);
}
inline void GetLayerNormGradBetaMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t, const bool, uint32_t& maxValue,
                                              uint32_t& minValue) {
    aclimb::library::give(aclimb::library::NormShape(srcShape).sizes(aclimb::library::needs::LayerNormGradBeta), maxValue, minValue);
}
template <class Tiling> inline void GetLayerNormGradNDTilingInfo(const ge::Shape srcShape, const uint32_t stackBufferSize, const uint32_t,
                                                                 const bool, Tiling& tilling) {
    using namespace aclimb::library;
    const NormShape shape(srcShape);
    tiling::LayerNormGradTiling t{};
    t.stackBufferSize = stackBufferSize;
    t.bLength = shape.b;
    t.sLength = shape.s;
    t.hLength = shape.h;
    t.originalHLength = shape.original;
    const float back = shape.reciprocal(), twice = 2 * back;
    __builtin_memcpy(&t.lastDimValueBack, &back, sizeof back);
    __builtin_memcpy(&t.lastDimValueBackMulTwo, &twice, sizeof twice);
    AclimbAssign(tilling, t);
}
template <class Tiling> inline void GetLayerNormGradBetaNDTilingInfo(const ge::Shape srcShape, const uint32_t stackBufferSize,
                                                                     const uint32_t, const bool, Tiling& tilling) {
    using namespace aclimb::library;
    const NormShape shape(srcShape);
    tiling::LayerNormGradBetaTiling t{};
    t.stackBufferSize = stackBufferSize;
    t.bLength = shape.b;
    t.sLength = shape.s;
    t.hLength = shape.h;
    t.originalHLength = shape.original;
    t.bsLength = shape.rows();
    t.bshLength = shape.rows() * shape.h;
    AclimbAssign(tilling, t);
}

// --- pieces of a norm
inline void GetNormalizeMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t, const uint32_t, const bool, const bool, const bool,
                                      uint32_t& maxValue, uint32_t& minValue) {
    aclimb::library::give(aclimb::library::NormShape(srcShape).sizes(aclimb::library::needs::Normalize), maxValue, minValue);
}
inline void GetWelfordUpdateMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSizeT, const uint32_t, const bool, const bool,
                                          uint32_t& maxValue, uint32_t& minValue) {
    aclimb::library::give(aclimb::library::needs::WelfordUpdate.sizes(aclimb::library::elements_of(srcShape), typeSizeT), maxValue,
                          minValue);
}
inline void GetWelfordFinalizeMaxMinTmpSize(const ge::Shape& srcShape, const uint32_t, const bool, uint32_t& maxValue, uint32_t& minValue) {
    aclimb::library::give(aclimb::library::needs::WelfordFinalize.sizes(1, aclimb::library::elements_of(srcShape)), maxValue, minValue);
}

} // namespace AscendC
