// SPDX-License-Identifier: Apache-2.0
// Duplicate, Copy and Brcb: bits are moved, not computed, so that every 16-bit and 32-bit type will do.
#pragma once
#include "aclimb/vector_shapes.h"

namespace AscendC {

ACLIMB_TYPES(Duplicate, half, bfloat16_t, float, int16_t, uint16_t, int32_t, uint32_t)
ACLIMB_TYPES(Copy, half, bfloat16_t, float, int16_t, uint16_t, int32_t, uint32_t)
ACLIMB_TYPES(Brcb, half, bfloat16_t, float, int16_t, uint16_t, int32_t, uint32_t)

template <typename T> ACLIMB_API void Duplicate(const LocalTensor<T>& dst, const aclimb::plain<T>& scalarValue, const int32_t& count) {
    if constexpr (aclimb::kIsVector && aclimb_types_Duplicate::check<T>()) {
        aclimb::Vector record = aclimb::operands(dst.place, aclimb::kNowhere, aclimb::kNowhere);
        record.scalar = aclimb::bits_of<T>(scalarValue);
        aclimb::issue_counted<aclimb::Op::vdup>(record, record, count, aclimb::dtype_of<T>());
    }
}
template <typename T, bool isSetMask = true, typename Mask>
ACLIMB_API void Duplicate(const LocalTensor<T>& dst, const aclimb::plain<T>& scalarValue, const Mask& mask, const int32_t repeatTime,
                          const uint16_t dstBlockStride, const uint8_t dstRepeatStride) {
    if constexpr (aclimb::kIsVector && aclimb_types_Duplicate::check<T>()) {
        aclimb::Vector record = aclimb::operands(dst.place, aclimb::kNowhere, aclimb::kNowhere);
        record.dst_stride = {dstBlockStride, dstRepeatStride};
        record.scalar = aclimb::bits_of<T>(scalarValue);
        aclimb::issue_masked<aclimb::Op::vdup, isSetMask, aclimb::lanes_of<T>()>(record, record, aclimb::mask_argument(mask), repeatTime,
                                                                                 aclimb::dtype_of<T>());
    }
}

// UB to UB on the vector pipe. In COUNTER mode the count holds for each repeat, unlike everywhere else.
template <typename T, bool isSetMask = true, typename U, typename Mask>
ACLIMB_API void Copy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const Mask& mask, const int32_t repeatTime,
                     const CopyRepeatParams& repeatParams) {
    if constexpr (aclimb::kIsVector && aclimb::same_types<T, U>() && aclimb_types_Copy::check<T>()) {
        aclimb::Vector record = aclimb::operands(dst.place, src.place, aclimb::kNowhere);
        record.dst_stride = {repeatParams.dstStride, repeatParams.dstRepeatSize};
        record.a_stride = {repeatParams.srcStride, repeatParams.srcRepeatSize};
        aclimb::issue_masked<aclimb::Op::vcopy, isSetMask, aclimb::lanes_of<T>()>(record, record, aclimb::mask_argument(mask), repeatTime,
                                                                                  aclimb::dtype_of<T>());
    }
}

// Eight elements a repeat, each spread over one block of 32 bytes. No mask.
template <typename T, typename U> ACLIMB_API void Brcb(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const int32_t repeatTime,
                                                       const BrcbRepeatParams& repeatParams) {
    if constexpr (aclimb::kIsVector && aclimb::same_types<T, U>() && aclimb_types_Brcb::check<T>()) {
        aclimb::Vector record = aclimb::operands(dst.place, src0.place, aclimb::kNowhere);
        record.dst_stride = {repeatParams.dstBlkStride, repeatParams.dstRepStride};
        record.mask[0] = record.mask[1] = FULL_MASK;
        record.repeat = repeatTime;
        aclimb::issue_vector<aclimb::Op::vbrcb>(record, aclimb::dtype_of<T>());
    }
}

} // namespace AscendC
