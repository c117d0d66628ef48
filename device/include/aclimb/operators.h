// SPDX-License-Identifier: Apache-2.0
// z = x + y on whole tensors: the operator keeps the two sources, the assignment issues the call for GetSize() elements of z.
#pragma once
#include "aclimb/compare_select.h"
#include "aclimb/vector_binary.h"

namespace aclimb {

template <Operator op, typename T> struct Expression {
    const LocalTensor<T>& left;
    const LocalTensor<T>& right;

    template <typename U> ACLIMB_API void into(const LocalTensor<U>& dst) const {
        if constexpr (op == Operator::add) AscendC::Add(dst, left, right, static_cast<int32_t>(dst.size));
        else if constexpr (op == Operator::sub) AscendC::Sub(dst, left, right, static_cast<int32_t>(dst.size));
        else if constexpr (op == Operator::mul) AscendC::Mul(dst, left, right, static_cast<int32_t>(dst.size));
        else if constexpr (op == Operator::div) AscendC::Div(dst, left, right, static_cast<int32_t>(dst.size));
        else if constexpr (op == Operator::bit_or) AscendC::Or(dst, left, right, static_cast<int32_t>(dst.size));
        else if constexpr (op == Operator::bit_and) AscendC::And(dst, left, right, static_cast<int32_t>(dst.size));
        else AscendC::Compare(dst, left, right, mode(), left.size); // one bit an element: the sources say how many
    }

    static constexpr AscendC::CMPMODE mode() {
        switch (op) {
        case Operator::lt: return AscendC::CMPMODE::LT;
        case Operator::gt: return AscendC::CMPMODE::GT;
        case Operator::le: return AscendC::CMPMODE::LE;
        case Operator::ge: return AscendC::CMPMODE::GE;
        case Operator::eq: return AscendC::CMPMODE::EQ;
        default: return AscendC::CMPMODE::NE;
        }
    }
};

} // namespace aclimb

#define ACLIMB_OPERATOR(symbol, name)                                                                                                  \
    template <typename T>                                                                                                              \
    ACLIMB_API aclimb::Expression<aclimb::Operator::name, T> operator symbol(const LocalTensor<T>& left, const LocalTensor<T>& right) { \
        return {left, right};                                                                                                          \
    }

namespace AscendC {

ACLIMB_OPERATOR(+, add)
ACLIMB_OPERATOR(-, sub)
ACLIMB_OPERATOR(*, mul)
ACLIMB_OPERATOR(/, div)
ACLIMB_OPERATOR(|, bit_or)
ACLIMB_OPERATOR(&, bit_and)
ACLIMB_OPERATOR(<, lt)
ACLIMB_OPERATOR(>, gt)
ACLIMB_OPERATOR(<=, le)
ACLIMB_OPERATOR(>=, ge)
ACLIMB_OPERATOR(==, eq)
ACLIMB_OPERATOR(!=, ne)

} // namespace AscendC
