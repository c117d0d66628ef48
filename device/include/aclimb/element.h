// SPDX-License-Identifier: Apache-2.0
// What t(i) gives: an element that can be read and, on the left, written. On the device it is a reference; here it is what stands for one,
// and converts wherever the element itself would.
#pragma once
#include "aclimb/bfloat16.h"
#include "aclimb/issue.h"

namespace aclimb {

template <typename T> constexpr bool is_small_float = std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t>;
template <typename N> using if_operand = std::enable_if_t<std::is_arithmetic_v<N>, int>;

// half and bfloat16_t compute and compare with operators of their own, and convert to float. An element of them does both, so that each
// operator has to say which one it means: the type's own.
#define ACLIMB_ELEMENT_OPERATOR(op)                                                                                                        \
    template <typename E = T, std::enable_if_t<is_small_float<E>, int> = 0>                                                                \
    friend ACLIMB_API auto operator op(const Element& a, const Element& b) {                                                               \
        return T(a) op T(b);                                                                                                               \
    }                                                                                                                                      \
    template <typename N, typename E = T, if_operand<N> = 0, std::enable_if_t<is_small_float<E>, int> = 0>                                 \
    friend ACLIMB_API auto operator op(const Element& a, N b) {                                                                            \
        return T(a) op b;                                                                                                                  \
    }                                                                                                                                      \
    template <typename N, typename E = T, if_operand<N> = 0, std::enable_if_t<is_small_float<E>, int> = 0>                                 \
    friend ACLIMB_API auto operator op(N a, const Element& b) {                                                                            \
        return a op T(b);                                                                                                                  \
    }

template <typename T> class Element;
template <typename T, bool = is_small_float<T>> struct ElementAsFloat {};
template <typename T> struct ElementAsFloat<T, true> {
    ACLIMB_API operator float() const { return static_cast<float>(T(static_cast<const Element<T>&>(*this))); }
};

template <typename T> class Element : public ElementAsFloat<T> {
  public:
    ACLIMB_API explicit Element(const Place& at) : at_(at) {}
    ACLIMB_API operator T() const { return scalar_load<T>(at_, ScalarWay::element); }
    template <typename S, std::enable_if_t<is_small_float<S> && !std::is_same_v<S, T>, int> = 0> ACLIMB_API explicit operator S() const {
        return static_cast<S>(T(*this));
    }
    ACLIMB_API const Element& operator=(const T& value) const {
        scalar_store<T>(at_, value, ScalarWay::element);
        return *this;
    }
    ACLIMB_API const Element& operator=(const Element& other) const { return *this = static_cast<T>(other); }
    template <typename U> ACLIMB_API const Element& operator=(const Element<U>& other) const {
        return *this = static_cast<T>(static_cast<U>(other));
    }
    template <typename U> ACLIMB_API const Element& operator+=(const U& value) const { return *this = static_cast<T>(T(*this) + value); }
    template <typename U> ACLIMB_API const Element& operator-=(const U& value) const { return *this = static_cast<T>(T(*this) - value); }
    template <typename U> ACLIMB_API const Element& operator*=(const U& value) const { return *this = static_cast<T>(T(*this) * value); }
    template <typename U> ACLIMB_API const Element& operator/=(const U& value) const { return *this = static_cast<T>(T(*this) / value); }
    Element(const Element&) = default;

    ACLIMB_ELEMENT_OPERATOR(+)
    ACLIMB_ELEMENT_OPERATOR(-)
    ACLIMB_ELEMENT_OPERATOR(*)
    ACLIMB_ELEMENT_OPERATOR(/)
    ACLIMB_ELEMENT_OPERATOR(==)
    ACLIMB_ELEMENT_OPERATOR(!=)
    ACLIMB_ELEMENT_OPERATOR(<)
    ACLIMB_ELEMENT_OPERATOR(>)
    ACLIMB_ELEMENT_OPERATOR(<=)
    ACLIMB_ELEMENT_OPERATOR(>=)

  private:
    Place at_;
};

} // namespace aclimb
