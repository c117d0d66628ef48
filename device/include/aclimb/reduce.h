// SPDX-License-Identifier: Apache-2.0
// Reductions under their old and new names: one result a repeat (WholeReduce*, ReduceRepeat), a block of 32 bytes (BlockReduce*,
// ReduceDataBlock), a pair (PairReduceSum, ReducePairElem), or one for the whole tensor (ReduceSum, ReduceMax, ReduceMin).
#pragma once
#include "aclimb/vector_shapes.h"

namespace AscendC {

ACLIMB_TYPES(WholeReduce, half, float)
ACLIMB_TYPES(BlockReduce, half, float)
ACLIMB_TYPES(PairReduceSum, half, float)
ACLIMB_TYPES(ReduceSum, half, float)
ACLIMB_TYPES(ReduceMax, half, float)
ACLIMB_TYPES(ReduceMin, half, float)

} // namespace AscendC

namespace aclimb {

using AscendC::ReduceOrder;

template <Op op, typename Types, bool isSetMask, typename T, typename Mask>
ACLIMB_API void reduce_repeats(const LocalTensor<T>& dst, const LocalTensor<T>& src, const Mask& mask, int32_t repeat, int32_t dst_block,
                               int32_t dst_repeat, int32_t src_block, int32_t src_repeat,
                               ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {
    if constexpr (vector_call(); kIsVector && Types::template check<T>()) {
        require_range("dstRepStride", dst_repeat, 0, 65535);
        require_range("srcBlkStride", src_block, 0, 65535);
        require_range("srcRepStride", src_repeat, 0, 65535);
        Vector record = operands(dst.place, src.place, kNowhere);
        record.dst_stride = {static_cast<uint16_t>(dst_block), static_cast<uint16_t>(dst_repeat)};
        record.a_stride = {static_cast<uint16_t>(src_block), static_cast<uint16_t>(src_repeat)};
        record.mode = static_cast<uint8_t>(order);
        issue_masked<op, isSetMask, lanes_of<T>()>(record, record, mask_argument(mask), repeat, dtype_of<T>());
    }
}

template <Op op, typename Types, bool isSetMask, typename T> ACLIMB_API void
reduce_count(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& tmp, int32_t count, bool cal_index) {
    if constexpr (vector_call(); kIsVector && Types::template check<T>()) {
        Vector record = operands(dst.place, src.place, tmp.place);
        record.mode = cal_index;
        if constexpr (isSetMask) issue_counted<op>(record, record, count, dtype_of<T>());
        else issue_masked<op, false, lanes_of<T>()>(record, record, uint64_t{}, 1, dtype_of<T>());
    }
}
template <Op op, typename Types, bool isSetMask, typename T, typename Mask>
ACLIMB_API void reduce_masked(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& tmp, const Mask& mask,
                              int32_t repeat, int32_t src_repeat, bool cal_index) {
    if constexpr (vector_call(); kIsVector && Types::template check<T>()) {
        require_range("srcRepStride", src_repeat, 0, 65535);
        Vector record = operands(dst.place, src.place, tmp.place);
        record.a_stride.repeat = static_cast<uint16_t>(src_repeat);
        record.mode = cal_index;
        issue_masked<op, isSetMask, lanes_of<T>()>(record, record, mask_argument(mask), repeat, dtype_of<T>());
    }
}

} // namespace aclimb

namespace AscendC {

// --- one result a repeat
template <typename T, bool isSetMask = true, typename Mask>
ACLIMB_API void WholeReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const Mask& mask, const int32_t repeatTime,
                               const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride) {
    aclimb::reduce_repeats<aclimb::Op::vcadd, aclimb_types_WholeReduce, isSetMask>(dst, src, mask, repeatTime, 1, dstRepStride,
                                                                                   srcBlkStride, srcRepStride);
}
// The form with the types of both tensors, which are the same on Atlas A2 and A3.
template <typename T, typename U, bool isSetMask = true, typename Mask>
ACLIMB_API void WholeReduceSum(const LocalTensor<U>& dst, const LocalTensor<T>& src, const Mask& mask, const int32_t repeatTime,
                               const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride) {
    static_assert(std::is_same_v<T, U>, "aclimb: WholeReduceSum has one element type for both tensors on Atlas A2 and A3; Cast afterwards");
    WholeReduceSum<T, isSetMask>(dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride);
}
#define ACLIMB_WHOLE_REDUCE(api, instruction)                                                                                              \
    template <typename T, bool isSetMask = true, typename Mask> ACLIMB_API void api(                                                       \
        const LocalTensor<T>& dst, const LocalTensor<T>& src, const Mask& mask, const int32_t repeatTime, const int32_t dstRepStride,      \
        const int32_t srcBlkStride, const int32_t srcRepStride, ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {                      \
        aclimb::reduce_repeats<aclimb::Op::instruction, aclimb_types_WholeReduce, isSetMask>(dst, src, mask, repeatTime, 1, dstRepStride,  \
                                                                                             srcBlkStride, srcRepStride, order);           \
    }
ACLIMB_WHOLE_REDUCE(WholeReduceMax, vcmax)
ACLIMB_WHOLE_REDUCE(WholeReduceMin, vcmin)

template <typename T, bool isSetMask = true>
ACLIMB_API void RepeatReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime, const int32_t mask,
                                const int32_t, const int32_t srcBlkStride, const int32_t dstRepStride, const int32_t srcRepStride) {
    WholeReduceSum<T, isSetMask>(dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride);
}

// --- one result a block, one a pair: the older names have repeat and mask the other way round
#define ACLIMB_BLOCK_REDUCE(api, instruction, types)                                                                                       \
    template <typename T, bool isSetMask = true, typename Mask>                                                                            \
    ACLIMB_API void api(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime, const Mask& mask,                  \
                        const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride) {                              \
        aclimb::reduce_repeats<aclimb::Op::instruction, aclimb_types_##types, isSetMask>(dst, src, mask, repeatTime, 1, dstRepStride,      \
                                                                                         srcBlkStride, srcRepStride);                      \
    }
ACLIMB_BLOCK_REDUCE(BlockReduceSum, vcgadd, BlockReduce)
ACLIMB_BLOCK_REDUCE(BlockReduceMax, vcgmax, BlockReduce)
ACLIMB_BLOCK_REDUCE(BlockReduceMin, vcgmin, BlockReduce)
ACLIMB_BLOCK_REDUCE(PairReduceSum, vcpadd, PairReduceSum)

// --- the newer names
template <ReduceType type, typename T, bool isSetMask = true, typename Mask>
ACLIMB_API void ReduceRepeat(const LocalTensor<T>& dst, const LocalTensor<T>& src, const Mask& mask, const int32_t repeatTime,
                             const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride,
                             ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {
    constexpr aclimb::Op op = type == ReduceType::SUM ? aclimb::Op::vcadd : type == ReduceType::MAX ? aclimb::Op::vcmax : aclimb::Op::vcmin;
    aclimb::reduce_repeats<op, aclimb_types_WholeReduce, isSetMask>(dst, src, mask, repeatTime, 1, dstRepStride, srcBlkStride, srcRepStride,
                                                                    type == ReduceType::SUM ? ReduceOrder::ORDER_VALUE_INDEX : order);
}
template <ReduceType type, typename T, bool isSetMask = true, typename Mask>
ACLIMB_API void ReduceDataBlock(const LocalTensor<T>& dst, const LocalTensor<T>& src, const Mask& mask, const int32_t repeatTime,
                                const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride) {
    constexpr aclimb::Op op = type == ReduceType::SUM   ? aclimb::Op::vcgadd
                              : type == ReduceType::MAX ? aclimb::Op::vcgmax
                                                        : aclimb::Op::vcgmin;
    aclimb::reduce_repeats<op, aclimb_types_BlockReduce, isSetMask>(dst, src, mask, repeatTime, 1, dstRepStride, srcBlkStride,
                                                                    srcRepStride);
}
template <ReduceType type, typename T, bool isSetMask = true, typename Mask>
ACLIMB_API void ReducePairElem(const LocalTensor<T>& dst, const LocalTensor<T>& src, const Mask& mask, const int32_t repeatTime,
                               const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride) {
    static_assert(type == ReduceType::SUM, "aclimb: ReducePairElem has ReduceType::SUM only");
    PairReduceSum<T, isSetMask>(dst, src, repeatTime, mask, dstRepStride, srcBlkStride, srcRepStride);
}

// The same with the types of both tensors.
template <ReduceType type, typename T, typename U, bool isSetMask = true, typename Mask, typename... Order>
ACLIMB_API void ReduceRepeat(const LocalTensor<U>& dst, const LocalTensor<T>& src, const Mask& mask, const int32_t repeatTime,
                             const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride, const Order... order) {
    static_assert(std::is_same_v<T, U>, "aclimb: ReduceRepeat has one element type for both tensors on Atlas A2 and A3; Cast afterwards");
    ReduceRepeat<type, T, isSetMask>(dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride, order...);
}
#define ACLIMB_REDUCE_TYPES(api)                                                                                                           \
    template <ReduceType type, typename T, typename U, bool isSetMask = true, typename Mask>                                               \
    ACLIMB_API void api(const LocalTensor<U>& dst, const LocalTensor<T>& src, const Mask& mask, const int32_t repeatTime,                  \
                        const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride) {                              \
        static_assert(std::is_same_v<T, U>, "aclimb: " #api " has one element type for both tensors on Atlas A2 and A3; Cast afterwards"); \
        api<type, T, isSetMask>(dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride);                                     \
    }
ACLIMB_REDUCE_TYPES(ReduceDataBlock)
ACLIMB_REDUCE_TYPES(ReducePairElem)

// --- one result for everything. The tmp tensor is scratch on hardware; the engine does not need it.
template <typename T, bool isSetMask = true> ACLIMB_API void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                                                       const LocalTensor<T>& sharedTmpBuffer, const int32_t count) {
    aclimb::reduce_count<aclimb::Op::reduce_sum, aclimb_types_ReduceSum, isSetMask>(dst, src, sharedTmpBuffer, count, false);
}
template <typename T, bool isSetMask = true, typename Mask>
ACLIMB_API void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer, const Mask& mask,
                          const int32_t repeatTime, const int32_t srcRepStride) {
    aclimb::reduce_masked<aclimb::Op::reduce_sum, aclimb_types_ReduceSum, isSetMask>(dst, src, sharedTmpBuffer, mask, repeatTime,
                                                                                     srcRepStride, false);
}
#define ACLIMB_REDUCE_MAX_MIN(api, instruction)                                                                                            \
    template <typename T, bool isSetMask = true> ACLIMB_API void api(const LocalTensor<T>& dst, const LocalTensor<T>& src,                 \
                                                                     const LocalTensor<T>& sharedTmpBuffer, const int32_t count,           \
                                                                     bool calIndex = false) {                                              \
        aclimb::reduce_count<aclimb::Op::instruction, aclimb_types_##api, isSetMask>(dst, src, sharedTmpBuffer, count, calIndex);          \
    }                                                                                                                                      \
    template <typename T, bool isSetMask = true, typename Mask>                                                                            \
    ACLIMB_API void api(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer, const Mask& mask,     \
                        const int32_t repeatTime, const int32_t srcRepStride, bool calIndex = false) {                                     \
        aclimb::reduce_masked<aclimb::Op::instruction, aclimb_types_##api, isSetMask>(dst, src, sharedTmpBuffer, mask, repeatTime,         \
                                                                                      srcRepStride, calIndex);                             \
    }
ACLIMB_REDUCE_MAX_MIN(ReduceMax, reduce_max)
ACLIMB_REDUCE_MAX_MIN(ReduceMin, reduce_min)

// --- what the last reduction left in its side registers; the compiler orders these reads behind the vector pipe
template <typename T> ACLIMB_API T GetReduceRepeatSumSpr() { return aclimb::value_of<T>(aclimb::core()->reduce_sum); }
template <typename T> ACLIMB_API T GetAccVal() { return GetReduceRepeatSumSpr<T>(); }
template <typename T> ACLIMB_API void GetReduceRepeatMaxMinSpr(T& maxMinValue) {
    maxMinValue = aclimb::value_of<T>(aclimb::core()->reduce_value);
}
template <typename T> ACLIMB_API void GetReduceRepeatMaxMinSpr(T& maxMinValue, T& maxMinIndex) {
    maxMinValue = aclimb::value_of<T>(aclimb::core()->reduce_value);
    maxMinIndex = aclimb::value_of<T>(aclimb::core()->reduce_index);
}
template <typename T> ACLIMB_API void GetReduceMaxMinCount(T& maxMinValue) { GetReduceRepeatMaxMinSpr(maxMinValue); }
template <typename T> ACLIMB_API void GetReduceMaxMinCount(T& maxMinValue, T& maxMinIndex) {
    GetReduceRepeatMaxMinSpr(maxMinValue, maxMinIndex);
}

} // namespace AscendC
