// SPDX-License-Identifier: Apache-2.0
// dst = op src, element by element.
#pragma once
#include "aclimb/vector_shapes.h"

#define ACLIMB_UNARY(api, instruction, ...)                                                                                            \
    ACLIMB_TYPES(api, __VA_ARGS__)                                                                                                     \
    template <typename T, typename U>                                                                                                  \
    ACLIMB_API void api(const LocalTensor<T>& dst, const LocalTensor<U>& src, const int32_t& count) {                                  \
        ::aclimb::unary<::aclimb::Op::instruction, aclimb_types_##api, true>(dst, src, 0, count);                                      \
    }                                                                                                                                  \
    template <typename T, bool isSetMask = true, typename U>                                                                           \
    ACLIMB_API void api(const LocalTensor<T>& dst, const LocalTensor<U>& src, uint64_t mask, const int32_t repeatTime,                 \
                        const UnaryRepeatParams& repeatParams) {                                                                       \
        ::aclimb::unary<::aclimb::Op::instruction, aclimb_types_##api, isSetMask>(dst, src, 0, mask, repeatTime, repeatParams);        \
    }                                                                                                                                  \
    template <typename T, bool isSetMask = true, typename U>                                                                           \
    ACLIMB_API void api(const LocalTensor<T>& dst, const LocalTensor<U>& src, const uint64_t mask[], const int32_t repeatTime,         \
                        const UnaryRepeatParams& repeatParams) {                                                                       \
        ::aclimb::unary<::aclimb::Op::instruction, aclimb_types_##api, isSetMask>(dst, src, 0, mask, repeatTime, repeatParams);        \
    }

namespace AscendC {

ACLIMB_UNARY(Exp, vexp, half, float)
ACLIMB_UNARY(Ln, vln, half, float)
ACLIMB_UNARY(Abs, vabs, half, float)
ACLIMB_UNARY(Sqrt, vsqrt, half, float)
ACLIMB_UNARY(Rsqrt, vrsqrt, half, float)
ACLIMB_UNARY(Reciprocal, vrec, half, float)
ACLIMB_UNARY(Relu, vrelu, half, float, int32_t)
ACLIMB_UNARY(Not, vnot, int16_t, uint16_t)

} // namespace AscendC
