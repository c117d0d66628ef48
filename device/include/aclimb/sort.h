// SPDX-License-Identifier: Apache-2.0
// Sort32 and MrgSort: pairs of a score and an index in 8 bytes, greatest first. Then what the library makes of them: Concat, Sort, Extract.
#pragma once
#include "aclimb/gather.h"

namespace AscendC {

template <typename T> struct MrgSortSrcList {
    ACLIMB_API MrgSortSrcList() {}
    ACLIMB_API MrgSortSrcList(const LocalTensor<T>& src1In, const LocalTensor<T>& src2In, const LocalTensor<T>& src3In,
                              const LocalTensor<T>& src4In)
        : src1(src1In), src2(src2In), src3(src3In), src4(src4In) {}
    LocalTensor<T> src1;
    LocalTensor<T> src2;
    LocalTensor<T> src3;
    LocalTensor<T> src4;
};

struct MrgSort4Info {
    constexpr MrgSort4Info() = default;
    constexpr MrgSort4Info(const uint16_t elementLengthsIn[4], bool ifExhaustedSuspensionIn, uint16_t validBitIn, uint16_t repeatTimesIn)
        : elementLengths{elementLengthsIn[0], elementLengthsIn[1], elementLengthsIn[2], elementLengthsIn[3]},
          ifExhaustedSuspension(ifExhaustedSuspensionIn), validBit(validBitIn), repeatTimes(static_cast<uint8_t>(repeatTimesIn)) {}
    uint16_t elementLengths[4] = {0};
    bool ifExhaustedSuspension = false;
    uint16_t validBit = 0;
    uint8_t repeatTimes = 1;
};

ACLIMB_TYPES(Sort32, half, float)
ACLIMB_TYPES(MrgSort, half, float)

// Repeat r: 32 scores and their indices become 32 pairs. No mask.
template <typename T>
ACLIMB_API void Sort32(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<uint32_t>& src1, const int32_t repeatTime) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector && aclimb_types_Sort32::check<T>()) {
        aclimb::Vector record = aclimb::operands(dst.place, src0.place, src1.place);
        record.mask[0] = record.mask[1] = FULL_MASK;
        record.repeat = repeatTime;
        aclimb::issue_vector<aclimb::Op::vbitsort>(record, aclimb::dtype_of<T>());
    }
}

// Lists that validBit names: 3, 7 or 15, the first two, three or four.
template <typename T> ACLIMB_API void MrgSort(const LocalTensor<T>& dst, const MrgSortSrcList<T>& src, const MrgSort4Info& params) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector && aclimb_types_MrgSort::check<T>()) {
        const uint16_t valid = params.validBit;
        if (__builtin_expect(valid != 3 && valid != 7 && valid != 15, 0))
            aclimb::misuse(aclimb::MisuseKind::field_range, "validBit (3, 7 or 15)", valid, 3, 15);
        aclimb::MergeSort record{};
        record.vector = aclimb::operands(dst.place, src.src1.place, src.src2.place);
        record.vector.mask[0] = record.vector.mask[1] = FULL_MASK;
        record.vector.repeat = params.repeatTimes;
        record.c = src.src3.place;
        record.d = src.src4.place;
        for (int i = 0; i < 4; i++) record.length[i] = valid >> i & 1 ? params.elementLengths[i] : 0;
        record.suspends = params.ifExhaustedSuspension;
        aclimb::issue_vector<aclimb::Op::vmrgsort>(record, aclimb::dtype_of<T>());
    }
}

// How many pairs of each list the last MrgSort took.
ACLIMB_API void GetMrgSortResult(uint16_t& mrgSortList1, uint16_t& mrgSortList2, uint16_t& mrgSortList3, uint16_t& mrgSortList4) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector) {
        const uint64_t counts = aclimb::vector_result(aclimb::VectorResult::merged);
        mrgSortList1 = static_cast<uint16_t>(counts);
        mrgSortList2 = static_cast<uint16_t>(counts >> 16);
        mrgSortList3 = static_cast<uint16_t>(counts >> 32);
        mrgSortList4 = static_cast<uint16_t>(counts >> 48);
    }
}

// --- the library. Lengths and offsets of pairs in elements of T.
template <typename T> constexpr ACLIMB_API uint32_t GetSortLen(const uint32_t elemCount) { return elemCount * (8 / sizeof(T)); }
template <typename T> constexpr ACLIMB_API uint32_t GetSortOffset(const uint32_t elemOffset) { return elemOffset * (8 / sizeof(T)); }

// Scores stay as they are on Atlas A2 and A3: the result names them.
template <typename T> ACLIMB_API void Concat(LocalTensor<T>& concatLocal, const LocalTensor<T>& srcLocal, const LocalTensor<T>& tmpLocal,
                                             const int32_t repeatTime) {
    aclimb::require_range("repeatTime", repeatTime, 0, MAX_REPEAT_TIMES);
    concatLocal = srcLocal;
}

} // namespace AscendC

namespace aclimb {

// Lists of `length` pairs, one behind the other, four at a time into lists of up to four times that length.
template <typename T> ACLIMB_API void merge_lists(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint32_t pairs, uint32_t length) {
    for (uint32_t first = 0; first < pairs; first += 4 * length) {
        uint16_t lengths[4] = {};
        uint32_t at[4], lists = 0;
        for (uint32_t i = 0; i < 4; i++) {
            at[i] = AscendC::GetSortOffset<T>(min_of(first + i * length, pairs));
            lengths[i] = static_cast<uint16_t>(min_of(length, pairs - min_of(first + i * length, pairs)));
            if (lengths[i]) lists++;
        }
        const uint16_t valid = lists == 4 ? 15 : lists == 3 ? 7 : 3; // of one list, the second is empty
        AscendC::MrgSort(dst[at[0]], AscendC::MrgSortSrcList<T>(src[at[0]], src[at[1]], src[at[2]], src[at[3]]),
                         AscendC::MrgSort4Info(lengths, false, valid, 1));
    }
}

} // namespace aclimb

namespace AscendC {

// 32 * repeatTime pairs. In full: merged four lists at a time, forth and back between dst and tmp.
template <typename T, bool isFullSort> ACLIMB_API void Sort(const LocalTensor<T>& dstLocal, const LocalTensor<T>& concatLocal,
                                                            const LocalTensor<uint32_t>& indexLocal, LocalTensor<T>& tmpLocal,
                                                            const int32_t repeatTime) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector && aclimb_types_Sort32::check<T>()) {
        aclimb::require_range("repeatTime", repeatTime, 0, MAX_REPEAT_TIMES);
        const uint32_t pairs = 32 * static_cast<uint32_t>(repeatTime);
        uint32_t rounds = 0;
        for (uint32_t length = 32; isFullSort && length < pairs; length *= 4) rounds++;
        LocalTensor<T> here = rounds % 2 ? tmpLocal : dstLocal, there = rounds % 2 ? dstLocal : tmpLocal;
        Sort32(here, concatLocal, indexLocal, repeatTime);
        for (uint32_t length = 32; rounds; length *= 4, rounds--) {
            aclimb::merge_lists<T>(there, here, pairs, length);
            const LocalTensor<T> swapped = here;
            here = there;
            there = swapped;
        }
    }
}

// 32 pairs a repeat, apart again. Of half the scores are every fourth element.
template <typename T> ACLIMB_API void Extract(const LocalTensor<T>& dstValueLocal, const LocalTensor<uint32_t>& dstIndexLocal,
                                              const LocalTensor<T>& sortedLocal, const int32_t repeatTime) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector && aclimb_types_Sort32::check<T>()) {
        aclimb::require_range("repeatTime", repeatTime, 0, MAX_REPEAT_TIMES);
        const GatherMaskParams params{1, static_cast<uint16_t>(repeatTime), 8, 0};
        uint64_t kept = 0;
        GatherMask(dstValueLocal, sortedLocal, static_cast<uint8_t>(sizeof(T) == 4 ? 1 : 3), false, 0, params, kept);
        GatherMask(dstIndexLocal, sortedLocal.template ReinterpretCast<uint32_t>(), static_cast<uint8_t>(2), false, 0, params, kept);
    }
}

// Merges, and says how many pairs of each list were taken where it stops at the end of one.
template <typename T, bool isExhaustedSuspension = false>
ACLIMB_API void MrgSort(const LocalTensor<T>& dstLocal, const MrgSortSrcList<T>& sortList, const uint16_t elementCountList[4],
                        uint32_t sortedNum[4], uint16_t validBit, const int32_t repeatTime) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector) {
        aclimb::require_range("repeatTime", repeatTime, 0, MAX_REPEAT_TIMES);
        MrgSort(dstLocal, sortList, MrgSort4Info(elementCountList, isExhaustedSuspension, validBit, static_cast<uint16_t>(repeatTime)));
        if constexpr (isExhaustedSuspension) {
            uint16_t taken[4];
            GetMrgSortResult(taken[0], taken[1], taken[2], taken[3]);
            for (int i = 0; i < 4; i++) sortedNum[i] = taken[i];
        }
    }
}

} // namespace AscendC
