// SPDX-License-Identifier: Apache-2.0
// Compare writes one bit an element, Select reads them. Compare without a destination writes the compare-mask register.
#pragma once
#include "aclimb/vector_shapes.h"

namespace AscendC {

ACLIMB_TYPES(Compare, half, float, int32_t)
ACLIMB_TYPES(CompareScalar, half, float, int32_t)
ACLIMB_TYPES(Select, half, float)

} // namespace AscendC

namespace aclimb {

template <typename Bits> constexpr bool holds_bits() {
    static_assert(
        is_one_of<Bits, uint8_t, int8_t, uint16_t, uint32_t, uint64_t>,
        "aclimb: a tensor of comparison bits has the element type uint8_t (int8_t, uint16_t, uint32_t and uint64_t are taken too)");
    return true;
}

template <typename T> ACLIMB_API Vector compare_operands(const Place& dst, const Place& a, const Place& b, AscendC::CMPMODE mode) {
    Vector record = operands(dst, a, b);
    record.mode = static_cast<uint8_t>(mode);
    return record;
}

template <typename T>
ACLIMB_API Select select_operands(const Place& dst, const Place& a, const Place& b, AscendC::SELMODE mode, uint64_t scalar) {
    Select record{};
    record.vector = operands(dst, a, b);
    record.vector.mode = static_cast<uint8_t>(mode);
    record.vector.scalar = scalar;
    return record;
}
ACLIMB_API void select_by(Select& record, const Place& mask) {
    record.mask = mask;
    record.has_mask = 1;
}

} // namespace aclimb

namespace AscendC {

template <typename T, typename U> ACLIMB_API void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,
                                                          CMPMODE cmpMode, uint32_t count) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector && aclimb_types_Compare::check<T>() && aclimb::holds_bits<U>()) {
        aclimb::Vector record = aclimb::compare_operands<T>(dst.place, src0.place, src1.place, cmpMode);
        aclimb::issue_counted<aclimb::Op::vcmp>(record, record, static_cast<int32_t>(count), aclimb::dtype_of<T>());
    }
}
template <typename T, typename U, bool isSetMask = true, typename Mask>
ACLIMB_API void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode,
                        const Mask& mask, int32_t repeatTime, const BinaryRepeatParams& repeatParams) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector && aclimb_types_Compare::check<T>() && aclimb::holds_bits<U>()) {
        aclimb::Vector record = aclimb::compare_operands<T>(dst.place, src0.place, src1.place, cmpMode);
        aclimb::set_strides(record, repeatParams);
        aclimb::issue_masked<aclimb::Op::vcmp, isSetMask, aclimb::lanes_of<T>()>(record, record, aclimb::mask_argument(mask), repeatTime,
                                                                                 aclimb::dtype_of<T>());
    }
}
// One repeat into the compare-mask register.
template <typename T, bool isSetMask = true, typename Mask> ACLIMB_API void
Compare(const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode, const Mask& mask, const BinaryRepeatParams& repeatParams) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector && aclimb_types_Compare::check<T>()) {
        aclimb::Vector record = aclimb::compare_operands<T>(aclimb::kNowhere, src0.place, src1.place, cmpMode);
        aclimb::set_strides(record, repeatParams);
        aclimb::issue_masked<aclimb::Op::vcmp_mask, isSetMask, aclimb::lanes_of<T>()>(record, record, aclimb::mask_argument(mask), 1,
                                                                                      aclimb::dtype_of<T>());
    }
}

template <typename T, typename U> ACLIMB_API void CompareScalar(const LocalTensor<U>& dst, const LocalTensor<T>& src0,
                                                                const aclimb::plain<T> src1Scalar, CMPMODE cmpMode, uint32_t count) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector && aclimb_types_CompareScalar::check<T>() && aclimb::holds_bits<U>()) {
        aclimb::Vector record = aclimb::compare_operands<T>(dst.place, src0.place, aclimb::kNowhere, cmpMode);
        record.scalar = aclimb::bits_of<T>(src1Scalar);
        aclimb::issue_counted<aclimb::Op::vcmps>(record, record, static_cast<int32_t>(count), aclimb::dtype_of<T>());
    }
}
template <typename T, typename U, bool isSetMask = true, typename Mask>
ACLIMB_API void CompareScalar(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const aclimb::plain<T> src1Scalar, CMPMODE cmpMode,
                              const Mask& mask, int32_t repeatTime, const UnaryRepeatParams& repeatParams) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector && aclimb_types_CompareScalar::check<T>() && aclimb::holds_bits<U>()) {
        aclimb::Vector record = aclimb::compare_operands<T>(dst.place, src0.place, aclimb::kNowhere, cmpMode);
        aclimb::set_strides(record, repeatParams);
        record.scalar = aclimb::bits_of<T>(src1Scalar);
        aclimb::issue_masked<aclimb::Op::vcmps, isSetMask, aclimb::lanes_of<T>()>(record, record, aclimb::mask_argument(mask), repeatTime,
                                                                                  aclimb::dtype_of<T>());
    }
}
// The newer name.
template <typename T, typename U> ACLIMB_API void Compares(const LocalTensor<U>& dst, const LocalTensor<T>& src0,
                                                           const aclimb::plain<T> src1Scalar, CMPMODE cmpMode, uint32_t count) {
    CompareScalar<T, U>(dst, src0, src1Scalar, cmpMode, count);
}
template <typename T, typename U, bool isSetMask = true, typename Mask>
ACLIMB_API void Compares(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const aclimb::plain<T> src1Scalar, CMPMODE cmpMode,
                         const Mask& mask, int32_t repeatTime, const UnaryRepeatParams& repeatParams) {
    CompareScalar<T, U, isSetMask>(dst, src0, src1Scalar, cmpMode, mask, repeatTime, repeatParams);
}

template <typename T> ACLIMB_API void GetCmpMask(const LocalTensor<T>& dst) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector) {
        aclimb::Vector record = aclimb::operands(dst.place, aclimb::kNowhere, aclimb::kNowhere);
        aclimb::issue_vector<aclimb::Op::get_cmp_mask>(record, aclimb::dtype_of<T>());
    }
}
template <typename T> ACLIMB_API void SetCmpMask(const LocalTensor<T>& src) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector) {
        aclimb::Vector record = aclimb::operands(aclimb::kNowhere, src.place, aclimb::kNowhere);
        aclimb::issue_vector<aclimb::Op::set_cmp_mask>(record, aclimb::dtype_of<T>());
    }
}

// A set bit takes the element of src0, a clear one that of src1.
template <typename T, typename U> ACLIMB_API void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,
                                                         const LocalTensor<T>& src0, const LocalTensor<T>& src1, SELMODE selMode,
                                                         uint32_t count) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector && aclimb_types_Select::check<T>() && aclimb::holds_bits<U>()) {
        aclimb::Select record = aclimb::select_operands<T>(dst.place, src0.place, src1.place, selMode, 0);
        aclimb::select_by(record, selMask.place);
        aclimb::issue_counted<aclimb::Op::vsel>(record, record.vector, static_cast<int32_t>(count), aclimb::dtype_of<T>());
    }
}
template <typename T, typename U> ACLIMB_API void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,
                                                         const LocalTensor<T>& src0, aclimb::plain<T> src1, SELMODE selMode,
                                                         uint32_t count) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector && aclimb_types_Select::check<T>() && aclimb::holds_bits<U>()) {
        aclimb::Select record = aclimb::select_operands<T>(dst.place, src0.place, aclimb::kNowhere, selMode, aclimb::bits_of<T>(src1));
        aclimb::select_by(record, selMask.place);
        aclimb::issue_counted<aclimb::Op::vsel>(record, record.vector, static_cast<int32_t>(count), aclimb::dtype_of<T>());
    }
}
template <typename T, typename U, bool isSetMask = true, typename Mask>
ACLIMB_API void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0, const LocalTensor<T>& src1,
                       SELMODE selMode, const Mask& mask, int32_t repeatTime, const BinaryRepeatParams& repeatParams) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector && aclimb_types_Select::check<T>() && aclimb::holds_bits<U>()) {
        aclimb::Select record = aclimb::select_operands<T>(dst.place, src0.place, src1.place, selMode, 0);
        aclimb::set_strides(record.vector, repeatParams);
        aclimb::select_by(record, selMask.place);
        aclimb::issue_masked<aclimb::Op::vsel, isSetMask, aclimb::lanes_of<T>()>(record, record.vector, aclimb::mask_argument(mask),
                                                                                 repeatTime, aclimb::dtype_of<T>());
    }
}
template <typename T, typename U, bool isSetMask = true, typename Mask>
ACLIMB_API void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0, aclimb::plain<T> src1,
                       SELMODE selMode, const Mask& mask, int32_t repeatTime, const BinaryRepeatParams& repeatParams) {
    if constexpr (aclimb::vector_call(); aclimb::kIsVector && aclimb_types_Select::check<T>() && aclimb::holds_bits<U>()) {
        aclimb::Select record = aclimb::select_operands<T>(dst.place, src0.place, aclimb::kNowhere, selMode, aclimb::bits_of<T>(src1));
        aclimb::set_strides(record.vector, repeatParams);
        aclimb::select_by(record, selMask.place);
        aclimb::issue_masked<aclimb::Op::vsel, isSetMask, aclimb::lanes_of<T>()>(record, record.vector, aclimb::mask_argument(mask),
                                                                                 repeatTime, aclimb::dtype_of<T>());
    }
}
// By the compare-mask register, the mask register as it is.
template <typename T, SELMODE selMode = SELMODE::VSEL_CMPMASK_SPR>
ACLIMB_API void Select(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, int32_t repeatTime,
                       const BinaryRepeatParams& repeatParams) {
    static_assert(selMode == SELMODE::VSEL_CMPMASK_SPR,
                  "aclimb: Select without a mask tensor reads the compare-mask register: SELMODE::VSEL_CMPMASK_SPR");
    if constexpr (aclimb::vector_call(); aclimb::kIsVector && aclimb_types_Select::check<T>()) {
        aclimb::Select record = aclimb::select_operands<T>(dst.place, src0.place, src1.place, selMode, 0);
        aclimb::set_strides(record.vector, repeatParams);
        aclimb::issue_masked<aclimb::Op::vsel, false, aclimb::lanes_of<T>()>(record, record.vector, uint64_t{}, repeatTime,
                                                                             aclimb::dtype_of<T>());
    }
}

} // namespace AscendC
