// SPDX-License-Identifier: Apache-2.0
// dst = src op scalar, element by element. The scalar is anything that converts to the element type.
#pragma once
#include "aclimb/vector_binary.h"

#define ACLIMB_SCALAR(api, instruction, ...)                                                                                               \
    ACLIMB_TYPES(api, __VA_ARGS__)                                                                                                         \
    template <typename T, bool isSetMask = true, typename U> ACLIMB_API void api(                                                          \
        const LocalTensor<T>& dst, const LocalTensor<U>& src, const ::aclimb::plain<T>& scalarValue, const int32_t& count) {               \
        ::aclimb::unary<::aclimb::Op::instruction, aclimb_types_##api, isSetMask>(dst, src, ::aclimb::bits_of<T>(scalarValue), count);     \
    }                                                                                                                                      \
    template <typename T, bool isSetMask = true, typename U>                                                                               \
    ACLIMB_API void api(const LocalTensor<T>& dst, const LocalTensor<U>& src, const ::aclimb::plain<T>& scalarValue, uint64_t mask,        \
                        const int32_t repeatTime, const UnaryRepeatParams& repeatParams) {                                                 \
        ::aclimb::unary<::aclimb::Op::instruction, aclimb_types_##api, isSetMask>(dst, src, ::aclimb::bits_of<T>(scalarValue), mask,       \
                                                                                  repeatTime, repeatParams);                               \
    }                                                                                                                                      \
    template <typename T, bool isSetMask = true, typename U>                                                                               \
    ACLIMB_API void api(const LocalTensor<T>& dst, const LocalTensor<U>& src, const ::aclimb::plain<T>& scalarValue,                       \
                        const uint64_t mask[], const int32_t repeatTime, const UnaryRepeatParams& repeatParams) {                          \
        ::aclimb::unary<::aclimb::Op::instruction, aclimb_types_##api, isSetMask>(dst, src, ::aclimb::bits_of<T>(scalarValue), mask,       \
                                                                                  repeatTime, repeatParams);                               \
    }

namespace AscendC {

ACLIMB_SCALAR(Adds, vadds, half, float, int16_t, int32_t)
ACLIMB_SCALAR(Muls, vmuls, half, float, int16_t, int32_t)
ACLIMB_SCALAR(Maxs, vmaxs, half, float, int16_t, int32_t)
ACLIMB_SCALAR(Mins, vmins, half, float, int16_t, int32_t)
ACLIMB_SCALAR(LeakyRelu, vlrelu, half, float)
ACLIMB_SCALAR(ShiftLeft, vshl, int16_t, uint16_t, int32_t, uint32_t)

// ShiftRight has one argument more: rounding of signed values.
ACLIMB_TYPES(ShiftRight, int16_t, uint16_t, int32_t, uint32_t)
template <typename T, bool isSetMask = true, typename U> ACLIMB_API void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                                                                                    const aclimb::plain<T>& scalarValue,
                                                                                    const int32_t& count, bool roundEn = false) {
    aclimb::unary<aclimb::Op::vshr, aclimb_types_ShiftRight, isSetMask>(dst, src, aclimb::bits_of<T>(scalarValue), count, roundEn);
}
template <typename T, bool isSetMask = true, typename U>
ACLIMB_API void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<U>& src, const aclimb::plain<T>& scalarValue, uint64_t mask,
                           const int32_t repeatTime, const UnaryRepeatParams& repeatParams, bool roundEn = false) {
    aclimb::unary<aclimb::Op::vshr, aclimb_types_ShiftRight, isSetMask>(dst, src, aclimb::bits_of<T>(scalarValue), mask, repeatTime,
                                                                        repeatParams, roundEn);
}
template <typename T, bool isSetMask = true, typename U>
ACLIMB_API void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<U>& src, const aclimb::plain<T>& scalarValue, const uint64_t mask[],
                           const int32_t repeatTime, const UnaryRepeatParams& repeatParams, bool roundEn = false) {
    aclimb::unary<aclimb::Op::vshr, aclimb_types_ShiftRight, isSetMask>(dst, src, aclimb::bits_of<T>(scalarValue), mask, repeatTime,
                                                                        repeatParams, roundEn);
}

// dst = src * scalar + dst; the destination may be wider than the source.
template <typename T, typename U>
ACLIMB_API void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const aclimb::plain<U>& scalarValue, const int32_t& count) {
    if constexpr (aclimb::kIsVector && aclimb::accumulates_into<T, U>()) {
        aclimb::Vector record = aclimb::operands(dst.place, src.place, aclimb::kNowhere);
        record.scalar = aclimb::bits_of<U>(scalarValue);
        aclimb::issue_counted<aclimb::Op::vaxpy>(record, record, count, aclimb::dtype_of<T>(), aclimb::dtype_of<U>());
    }
}
template <typename T, typename U, bool isSetMask = true, typename Mask>
ACLIMB_API void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const aclimb::plain<U>& scalarValue, const Mask& mask,
                     const int32_t repeatTime, const UnaryRepeatParams& repeatParams) {
    if constexpr (aclimb::kIsVector && aclimb::accumulates_into<T, U>()) {
        aclimb::Vector record = aclimb::operands(dst.place, src.place, aclimb::kNowhere);
        aclimb::set_strides(record, repeatParams);
        record.scalar = aclimb::bits_of<U>(scalarValue);
        aclimb::issue_masked<aclimb::Op::vaxpy, isSetMask, aclimb::lanes_of<T>()>(record, record, aclimb::mask_argument(mask), repeatTime,
                                                                                  aclimb::dtype_of<T>(), aclimb::dtype_of<U>());
    }
}

} // namespace AscendC
