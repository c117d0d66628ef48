// SPDX-License-Identifier: Apache-2.0
// What half and bfloat16_t share. Both compute in float and round once, to nearest even; a float has more than twice their digits,
// so that + - * / are correctly rounded. Mixed with an integer they stay what they are, mixed with a float or double they become it.
#pragma once
#include <stdint.h>
#include <type_traits>

namespace aclimb {

// A double (or a large integer) as a float whose last bit remembers that digits were lost: rounding that once more to fewer digits
// gives the same as rounding the original once.
constexpr float sticky_float(double value) {
    const float nearest = static_cast<float>(value);
    if (value != value || static_cast<double>(nearest) == value) return nearest;
    uint32_t bits = __builtin_bit_cast(uint32_t, nearest);
    const double magnitude = value < 0 ? -value : value;
    const float nearest_magnitude = nearest < 0 ? -nearest : nearest;
    if (static_cast<double>(nearest_magnitude) > magnitude) bits--; // towards zero
    return __builtin_bit_cast(float, bits | 1u);
}

template <typename T> constexpr float widen(T value) {
    if constexpr (std::is_same_v<T, float>) {
        return value;
    } else if constexpr (std::is_floating_point_v<T> || sizeof(T) <= 4) {
        return sticky_float(static_cast<double>(value));
    } else {
        const bool negative = value < T{};
        uint64_t rest = negative ? uint64_t{} - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
        double exact = static_cast<double>(rest);
        if (rest >> 53) exact = static_cast<double>((rest >> 11) | ((rest & 0x7ff) != 0)) * 2048.0;
        return sticky_float(negative ? -exact : exact);
    }
}

template <typename T> using if_integer = std::enable_if_t<std::is_integral_v<T>, int>;
template <typename T> using if_floating = std::enable_if_t<std::is_floating_point_v<T>, int>;
template <typename T> using if_number = std::enable_if_t<std::is_arithmetic_v<T>, int>;

} // namespace aclimb

#define ACLIMB_SMALL_FLOAT_ARITHMETIC(type, op)                                                                                        \
    friend constexpr type operator op(type a, type b) { return type(float(a) op float(b)); }                                           \
    template <typename N, ::aclimb::if_integer<N> = 0> friend constexpr type operator op(type a, N b) { return a op type(b); }         \
    template <typename N, ::aclimb::if_integer<N> = 0> friend constexpr type operator op(N a, type b) { return type(a) op b; }         \
    template <typename N, ::aclimb::if_floating<N> = 0> friend constexpr N operator op(type a, N b) { return N(float(a)) op b; }       \
    template <typename N, ::aclimb::if_floating<N> = 0> friend constexpr N operator op(N a, type b) { return a op N(float(b)); }       \
    template <typename N> constexpr type& operator op##=(N b) { return *this = type(*this op b); }

#define ACLIMB_SMALL_FLOAT_COMPARISON(type, op)                                                                                        \
    friend constexpr bool operator op(type a, type b) { return float(a) op float(b); }                                                 \
    template <typename N, ::aclimb::if_number<N> = 0> friend constexpr bool operator op(type a, N b) { return double(float(a)) op double(b); } \
    template <typename N, ::aclimb::if_number<N> = 0> friend constexpr bool operator op(N a, type b) { return double(a) op double(float(b)); }

#define ACLIMB_SMALL_FLOAT(type)                                                                                                       \
    ACLIMB_SMALL_FLOAT_ARITHMETIC(type, +)                                                                                             \
    ACLIMB_SMALL_FLOAT_ARITHMETIC(type, -)                                                                                             \
    ACLIMB_SMALL_FLOAT_ARITHMETIC(type, *)                                                                                             \
    ACLIMB_SMALL_FLOAT_ARITHMETIC(type, /)                                                                                             \
    ACLIMB_SMALL_FLOAT_COMPARISON(type, ==)                                                                                            \
    ACLIMB_SMALL_FLOAT_COMPARISON(type, !=)                                                                                            \
    ACLIMB_SMALL_FLOAT_COMPARISON(type, <)                                                                                             \
    ACLIMB_SMALL_FLOAT_COMPARISON(type, >)                                                                                             \
    ACLIMB_SMALL_FLOAT_COMPARISON(type, <=)                                                                                            \
    ACLIMB_SMALL_FLOAT_COMPARISON(type, >=)                                                                                            \
    constexpr type operator+() const { return *this; }                                                                                 \
    constexpr type operator-() const { return from_bits(static_cast<uint16_t>(bits ^ 0x8000u)); }                                      \
    constexpr type& operator++() { return *this += 1; }                                                                                \
    constexpr type& operator--() { return *this -= 1; }                                                                                \
    constexpr type operator++(int) {                                                                                                   \
        type before = *this;                                                                                                           \
        ++*this;                                                                                                                       \
        return before;                                                                                                                 \
    }                                                                                                                                  \
    constexpr type operator--(int) {                                                                                                   \
        type before = *this;                                                                                                           \
        --*this;                                                                                                                       \
        return before;                                                                                                                 \
    }
