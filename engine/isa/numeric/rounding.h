// SPDX-License-Identifier: Apache-2.0
// The round modes of Cast, lane by lane: to an integral float, to half and bfloat16, from wide integers to float.
#pragma once
#include "isa/numeric/half.h"

namespace aclimb {

enum class RoundMode : uint8_t { none, rint, floor, ceil, round, trunc, odd }; // the numbers are those of AscendC::RoundMode

template <RoundMode mode> ACLIMB_NUMERIC float integral(float x) {
    if constexpr (mode == RoundMode::floor) return __builtin_floorf(x);
    if constexpr (mode == RoundMode::ceil) return __builtin_ceilf(x);
    if constexpr (mode == RoundMode::trunc) return __builtin_truncf(x);
    if constexpr (mode == RoundMode::round) { // ties away from zero
        const float whole = __builtin_truncf(x);
        const float step = float_of((bits_of(x) & 0x80000000u) | 0x3f800000u);
        return __builtin_fabsf(x - whole) >= 0.5f ? whole + step : whole;
    }
    return __builtin_nearbyintf(x);
}

// What is cut off a magnitude decides whether it grows by one unit. `rest` and `tie` in the same scale: tie is half a unit.
template <RoundMode mode, class Rest> ACLIMB_NUMERIC uint32_t rounded(uint32_t kept, Rest rest, Rest tie, bool negative) {
    if constexpr (mode == RoundMode::floor) return kept + (negative && rest != 0);
    if constexpr (mode == RoundMode::ceil) return kept + (!negative && rest != 0);
    if constexpr (mode == RoundMode::trunc) return kept;
    if constexpr (mode == RoundMode::round) return kept + (rest >= tie);
    if constexpr (mode == RoundMode::odd) return kept | (rest != 0);
    return kept + (rest + (kept & 1) > tie); // without a branch: loops of it are made of vectors
}

// Beyond the largest finite value the result is infinity in every mode; saturating, the largest finite value, and NaN is 0.
template <RoundMode mode> ACLIMB_NUMERIC uint16_t rounded_half(float x, bool saturate) {
    const uint32_t sign = bits_of(x) >> 31, magnitude = bits_of(x) & 0x7fffffffu;
    const int32_t exponent = static_cast<int32_t>(magnitude >> 23) - 127;
    const uint32_t below = exponent < -14 ? static_cast<uint32_t>(-14 - exponent) : 0; // places lost to a subnormal result
    const uint32_t shift = 13 + (below < 18 ? below : 18);
    const uint32_t significand = below ? (magnitude & 0x7fffffu) | (exponent > -127 ? 0x800000u : 0u) : magnitude - 0x38000000u;
    const uint32_t rest = significand & ((1u << shift) - 1);
    uint32_t result = rounded<mode>(significand >> shift, rest, 1u << (shift - 1), sign);
    result = result >= 0x7c00u || magnitude >= 0x7f800000u ? (saturate ? 0x7bffu : 0x7c00u) : result;
    const bool is_nan = magnitude > 0x7f800000u;
    return static_cast<uint16_t>(is_nan ? (saturate ? 0u : 0x7e00u) : result | sign << 15);
}

template <RoundMode mode> ACLIMB_NUMERIC uint16_t rounded_bfloat16(float x, bool saturate) {
    const uint32_t sign = bits_of(x) >> 31, magnitude = bits_of(x) & 0x7fffffffu;
    uint32_t result = rounded<mode>(magnitude >> 16, magnitude & 0xffffu, 0x8000u, sign);
    result = result >= 0x7f80u ? (saturate ? 0x7f7fu : 0x7f80u) : result;
    const bool is_nan = magnitude > 0x7f800000u;
    return static_cast<uint16_t>(is_nan ? (saturate ? 0u : 0x7fc0u) : result | sign << 15);
}

template <RoundMode mode> ACLIMB_NUMERIC float rounded_float(int64_t x) {
    const uint64_t magnitude = x < 0 ? uint64_t{0} - static_cast<uint64_t>(x) : static_cast<uint64_t>(x);
    const int width = magnitude ? 64 - __builtin_clzll(magnitude) : 0;
    const int shift = width > 24 ? width - 24 : 0;
    const uint64_t rest = magnitude & ((uint64_t{1} << shift) - 1), tie = shift ? uint64_t{1} << (shift - 1) : 1;
    const uint32_t kept = rounded<mode>(static_cast<uint32_t>(magnitude >> shift), rest, tie, x < 0);
    const float value = static_cast<float>(kept) * float_of(static_cast<uint32_t>(127 + shift) << 23);
    return x < 0 ? -value : value;
}

// int32 -> half with a scale: the exact product, rounded once. A float rounded to odd keeps enough to round again to half.
ACLIMB_NUMERIC float odd_float(double x) {
    const float near = static_cast<float>(x);
    const double back = near;
    const bool away = (x < 0 ? -x : x) < (back < 0 ? -back : back);
    const uint32_t bits = bits_of(near) - (away ? 1 : 0);
    return back == x || x != x ? near : float_of(bits | 1u);
}

} // namespace aclimb
