// SPDX-License-Identifier: Apache-2.0
// dst = src0 op src1, element by element. The last arguments of a line are the types the instruction has on Atlas A2 and A3.
#pragma once
#include "aclimb/vector_shapes.h"

#define ACLIMB_BINARY(api, instruction, ...)                                                                                               \
    ACLIMB_TYPES(api, __VA_ARGS__)                                                                                                         \
    template <typename T, typename U, typename V>                                                                                          \
    ACLIMB_API void api(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<V>& src1, const int32_t& count) {         \
        ::aclimb::binary<::aclimb::Op::instruction, aclimb_types_##api>(dst, src0, src1, count);                                           \
    }                                                                                                                                      \
    template <typename T, bool isSetMask = true, typename U, typename V>                                                                   \
    ACLIMB_API void api(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<V>& src1, uint64_t mask,                  \
                        const int32_t repeatTime, const BinaryRepeatParams& repeatParams) {                                                \
        ::aclimb::binary<::aclimb::Op::instruction, aclimb_types_##api, isSetMask>(dst, src0, src1, mask, repeatTime, repeatParams);       \
    }                                                                                                                                      \
    template <typename T, bool isSetMask = true, typename U, typename V>                                                                   \
    ACLIMB_API void api(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<V>& src1, const uint64_t mask[],          \
                        const int32_t repeatTime, const BinaryRepeatParams& repeatParams) {                                                \
        ::aclimb::binary<::aclimb::Op::instruction, aclimb_types_##api, isSetMask>(dst, src0, src1, mask, repeatTime, repeatParams);       \
    }

namespace AscendC {

ACLIMB_BINARY(Add, vadd, half, float, int16_t, int32_t)
ACLIMB_BINARY(Sub, vsub, half, float, int16_t, int32_t)
ACLIMB_BINARY(Mul, vmul, half, float, int16_t, int32_t)
ACLIMB_BINARY(Div, vdiv, half, float)
ACLIMB_BINARY(Max, vmax, half, float, int16_t, int32_t)
ACLIMB_BINARY(Min, vmin, half, float, int16_t, int32_t)
ACLIMB_BINARY(And, vand, int16_t, uint16_t)
ACLIMB_BINARY(Or, vor, int16_t, uint16_t)
ACLIMB_BINARY(AddRelu, vaddrelu, half, float, int16_t)
ACLIMB_BINARY(SubRelu, vsubrelu, half, float, int16_t)
// These read the destination too: dst = src0 * dst + src1, and the same with relu.
ACLIMB_BINARY(FusedMulAdd, vmadd, half, float)
ACLIMB_BINARY(MulAddRelu, vmaddrelu, half, float)
ACLIMB_BINARY(FusedMulAddRelu, vmaddrelu, half, float)

} // namespace AscendC

namespace aclimb {

template <typename T, typename U> constexpr bool accumulates_into() {
    constexpr bool has = (std::is_same_v<T, U> && is_one_of<T, half, float>) || (std::is_same_v<T, float> && std::is_same_v<U, half>);
    static_assert(has, "aclimb: AscendC::MulAddDst and AscendC::Axpy take half into half, float into float and half into float on Atlas A2 "
                       "and A3. Cast first");
    return has;
}

} // namespace aclimb

namespace AscendC {

// dst = src0 * src1 + dst; the destination may be wider than the sources.
template <typename T, typename U>
ACLIMB_API void MulAddDst(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, const int32_t& count) {
    if constexpr (aclimb::kIsVector && aclimb::accumulates_into<T, U>()) {
        aclimb::Vector record = aclimb::operands(dst.place, src0.place, src1.place);
        aclimb::issue_counted<aclimb::Op::vmla>(record, record, count, aclimb::dtype_of<T>(), aclimb::dtype_of<U>());
    }
}
template <typename T, typename U, bool isSetMask = true, typename Mask>
ACLIMB_API void MulAddDst(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, const Mask& mask,
                          const int32_t repeatTime, const BinaryRepeatParams& repeatParams) {
    if constexpr (aclimb::kIsVector && aclimb::accumulates_into<T, U>()) {
        aclimb::Vector record = aclimb::operands(dst.place, src0.place, src1.place);
        aclimb::set_strides(record, repeatParams);
        aclimb::issue_masked<aclimb::Op::vmla, isSetMask, aclimb::lanes_of<T>()>(record, record, aclimb::mask_argument(mask), repeatTime,
                                                                                 aclimb::dtype_of<T>(), aclimb::dtype_of<U>());
    }
}

} // namespace AscendC
