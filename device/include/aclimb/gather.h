// SPDX-License-Identifier: Apache-2.0
// Gather, Gatherb, GatherMask: elements from where offsets, patterns or bits say. CreateVecIndex and Arange: numbers in a row.
#pragma once
#include "aclimb/vector_fill.h"
#include "aclimb/vector_scalar.h"

namespace AscendC {

struct GatherRepeatParams {
    constexpr GatherRepeatParams() = default;
    constexpr GatherRepeatParams(uint8_t dstBlkStrideIn, uint8_t dstRepStrideIn)
        : dstBlkStride(dstBlkStrideIn), dstRepStride(dstRepStrideIn) {}
    uint32_t blockNumber = DEFAULT_BLK_NUM;
    uint8_t dstBlkStride = DEFAULT_BLK_STRIDE;
    uint8_t src0BlkStride = DEFAULT_BLK_STRIDE;
    uint8_t src1BlkStride = DEFAULT_BLK_STRIDE;
    uint8_t dstRepStride = DEFAULT_REPEAT_STRIDE;
    uint8_t src0RepStride = DEFAULT_REPEAT_STRIDE;
    uint8_t src1RepStride = DEFAULT_REPEAT_STRIDE;
    bool repeatStrideMode = false;
    bool strideSizeMode = false;
};

struct GatherMaskParams {
    constexpr GatherMaskParams() = default;
    constexpr GatherMaskParams(uint8_t src0BlockStrideIn, uint16_t repeatTimesIn, uint16_t src0RepeatStrideIn, uint8_t src1RepeatStrideIn)
        : src0BlockStride(src0BlockStrideIn), repeatTimes(repeatTimesIn), src0RepeatStride(src0RepeatStrideIn),
          src1RepeatStride(src1RepeatStrideIn) {}
    uint8_t src0BlockStride = DEFAULT_BLK_STRIDE;
    uint16_t repeatTimes = 0;
    uint16_t src0RepeatStride = DEFAULT_REPEAT_STRIDE;
    uint8_t src1RepeatStride = DEFAULT_REPEAT_STRIDE;
};

enum class GatherMaskMode : uint8_t { VERSION_V1 = 0, VERSION_V2 = 1 };
constexpr GatherMaskMode defaultGahterMaskMode = GatherMaskMode::VERSION_V2; // so spelt

ACLIMB_TYPES(Gather, half, bfloat16_t, float, int16_t, uint16_t, int32_t, uint32_t)
ACLIMB_TYPES(Gatherb, half, bfloat16_t, float, int16_t, uint16_t, int32_t, uint32_t)
ACLIMB_TYPES(GatherMask, half, bfloat16_t, float, int16_t, uint16_t, int32_t, uint32_t)
ACLIMB_TYPES(CreateVecIndex, half, float, int16_t, int32_t)
ACLIMB_TYPES(ArithProgression, half, float, int16_t, int32_t)

} // namespace AscendC

namespace aclimb {

ACLIMB_API Vector gather_operands(const Place& dst, const Place& src, const Place& offsets, uint32_t base) {
    Vector record = operands(dst, src, offsets);
    record.scalar = base;
    return record;
}

// What a vector instruction counted; the scalar unit waits for it, as the compiler would make it wait.
ACLIMB_API uint64_t vector_result(VectorResult which) {
    ScalarAccess record{};
    record.value = static_cast<uint64_t>(which);
    issue(record, Op::vector_result, Pipe::S);
    return record.value;
}

template <typename T>
ACLIMB_API uint64_t gather_mask(Vector& record, bool counter, uint32_t mask, const AscendC::GatherMaskParams& params) {
    record.a_stride = {params.src0BlockStride, params.src0RepeatStride};
    record.b_stride = {1, params.src1RepeatStride};
    record.mask[0] = record.mask[1] = ~uint64_t{};
    record.repeat = params.repeatTimes;
    record.counted = counter ? 2 : 0;
    record.count = counter ? mask : 0;
    issue_vector<Op::vreducev2>(record, dtype_of<T>());
    reset_mask();
    return vector_result(VectorResult::gathered);
}

} // namespace aclimb

namespace AscendC {

// Offsets are bytes, counted from src; srcBaseAddr is added to each.
template <typename T> ACLIMB_API void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& srcOffset,
                                             const uint32_t srcBaseAddr, const uint32_t count) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector && aclimb_types_Gather::check<T>()) {
        aclimb::Vector record = aclimb::gather_operands(dst.place, src.place, srcOffset.place, srcBaseAddr);
        aclimb::issue_counted<aclimb::Op::vgather>(record, record, static_cast<int32_t>(count), aclimb::dtype_of<T>());
    }
}
template <typename T, typename Mask> ACLIMB_API void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                                            const LocalTensor<uint32_t>& srcOffset, const uint32_t srcBaseAddr,
                                                            const Mask& mask, const int32_t repeatTime, const uint16_t dstRepStride) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector && aclimb_types_Gather::check<T>()) {
        aclimb::Vector record = aclimb::gather_operands(dst.place, src.place, srcOffset.place, srcBaseAddr);
        record.dst_stride = {1, dstRepStride};
        aclimb::issue_masked<aclimb::Op::vgather, true, aclimb::lanes_of<T>()>(record, record, aclimb::mask_argument(mask), repeatTime,
                                                                               aclimb::dtype_of<T>());
    }
}

// Blocks of 32 bytes, eight a repeat. No mask.
template <typename T> ACLIMB_API void Gatherb(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<uint32_t>& offset,
                                              const int32_t repeatTime, const GatherRepeatParams& repeatParams) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector && aclimb_types_Gatherb::check<T>()) {
        aclimb::Vector record = aclimb::gather_operands(dst.place, src0.place, offset.place, 0);
        record.dst_stride = {repeatParams.dstBlkStride, repeatParams.dstRepStride};
        record.mask[0] = record.mask[1] = FULL_MASK;
        record.repeat = repeatTime;
        aclimb::issue_vector<aclimb::Op::vgatherb>(record, aclimb::dtype_of<T>());
    }
}

// The elements that a pattern (1 to 7) or the bits of a tensor choose, packed. Leaves the mask register NORMAL and full.
template <typename T, GatherMaskMode mode = defaultGahterMaskMode>
ACLIMB_API void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const uint8_t src1Pattern, const bool reduceMode,
                           const uint32_t mask, const GatherMaskParams& gatherMaskParams, uint64_t& rsvdCnt) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector && aclimb_types_GatherMask::check<T>()) {
        aclimb::require_range("src1Pattern", src1Pattern, 1, 7);
        aclimb::Vector record = aclimb::operands(dst.place, src0.place, aclimb::kNowhere);
        record.mode = src1Pattern;
        rsvdCnt = aclimb::gather_mask<T>(record, reduceMode, mask, gatherMaskParams);
    }
}
template <typename T, typename U, GatherMaskMode mode = defaultGahterMaskMode>
ACLIMB_API void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<U>& src1Pattern, const bool reduceMode,
                           const uint32_t mask, const GatherMaskParams& gatherMaskParams, uint64_t& rsvdCnt) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector && aclimb_types_GatherMask::check<T>()) {
        static_assert(
            aclimb::is_one_of<U, uint16_t, uint32_t> && sizeof(U) == sizeof(T),
            "aclimb: the pattern of AscendC::GatherMask is a tensor of uint16_t for 16-bit elements and of uint32_t for 32-bit ones; "
            "ReinterpretCast it");
        aclimb::Vector record = aclimb::operands(dst.place, src0.place, src1Pattern.place);
        rsvdCnt = aclimb::gather_mask<T>(record, reduceMode, mask, gatherMaskParams);
    }
}

// dst[i] = firstValue + i; in the mask forms i counts the lanes of all repeats.
template <typename T> ACLIMB_API void CreateVecIndex(LocalTensor<T> dst, const aclimb::plain<T>& firstValue, uint32_t count) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector && aclimb_types_CreateVecIndex::check<T>()) {
        aclimb::Vector record = aclimb::operands(dst.place, aclimb::kNowhere, aclimb::kNowhere);
        record.scalar = aclimb::bits_of<T>(firstValue);
        aclimb::issue_counted<aclimb::Op::vci>(record, record, static_cast<int32_t>(count), aclimb::dtype_of<T>());
    }
}
template <typename T, typename Mask> ACLIMB_API void CreateVecIndex(LocalTensor<T>& dst, const aclimb::plain<T>& firstValue,
                                                                    const Mask& mask, int32_t repeatTime, uint16_t dstBlkStride,
                                                                    uint8_t dstRepStride) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector && aclimb_types_CreateVecIndex::check<T>()) {
        aclimb::Vector record = aclimb::operands(dst.place, aclimb::kNowhere, aclimb::kNowhere);
        record.dst_stride = {dstBlkStride, dstRepStride};
        record.scalar = aclimb::bits_of<T>(firstValue);
        aclimb::issue_masked<aclimb::Op::vci, true, aclimb::lanes_of<T>()>(record, record, aclimb::mask_argument(mask), repeatTime,
                                                                           aclimb::dtype_of<T>());
    }
}

// first, first + diff, ...: a block one by one, then block after block from the one before, then repeat after repeat. The steps are the
// published ones (8 and 64 elements of float); they decide how an element of float or half was rounded.
template <typename T> ACLIMB_API void Arange(const LocalTensor<T>& dst, const aclimb::plain<T> firstValue, const aclimb::plain<T> diffValue,
                                             const int32_t count) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector && aclimb_types_ArithProgression::check<T>()) {
        constexpr int32_t block = ONE_BLK_SIZE / static_cast<int32_t>(sizeof(T)), repeat = aclimb::lanes_of<T>();
        using Wide = std::conditional_t<aclimb::is_one_of<T, half, float>, float, uint32_t>; // integers wrap
        const Wide first = static_cast<Wide>(firstValue), diff = static_cast<Wide>(diffValue);
        for (int32_t i = 0; i < block && i < count; i++)
            dst.SetValue(static_cast<uint32_t>(i), static_cast<T>(first + diff * static_cast<Wide>(i)));
        for (int32_t at = block, step = block; at < count; at += step) {
            if (at == repeat) step = repeat;
            const T distance = static_cast<T>(diff * static_cast<Wide>(step));
            Adds(dst[static_cast<uint32_t>(at)], dst[static_cast<uint32_t>(at - step)], distance, aclimb::min_of(step, count - at));
        }
    }
}
template <typename T> ACLIMB_API void ArithProgression(const LocalTensor<T>& dst, const aclimb::plain<T> firstValue,
                                                       const aclimb::plain<T> diffValue, const int32_t count) {
    Arange<T>(dst, firstValue, diffValue, count);
}

} // namespace AscendC
