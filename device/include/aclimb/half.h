// SPDX-License-Identifier: Apache-2.0
// half: IEEE binary16, the same bits on every compiler and host. 10 mantissa bits, exponent -14..15, subnormals kept.
#pragma once
#include "aclimb/small_float.h"

namespace aclimb {

constexpr uint16_t half_bits(float value) {
    const uint32_t all = __builtin_bit_cast(uint32_t, value);
    const uint32_t sign = (all >> 16) & 0x8000u, x = all & 0x7fffffffu;
    if (x > 0x7f800000u) return static_cast<uint16_t>(sign | 0x7e00u); // NaN
    if (x >= 0x477ff000u) return static_cast<uint16_t>(sign | 0x7c00u); // 65520 and more round to infinity
    if (x >= 0x38800000u) return static_cast<uint16_t>(sign | ((x + 0xfffu + ((x >> 13) & 1u) - 0x38000000u) >> 13));
    const uint32_t exponent = x >> 23;
    if (exponent < 102) return static_cast<uint16_t>(sign); // below half of the smallest subnormal
    const uint32_t shift = 126 - exponent, mantissa = (x & 0x7fffffu) | 0x800000u;
    const uint32_t kept = mantissa >> shift, rest = mantissa & ((1u << shift) - 1), tie = 1u << (shift - 1);
    return static_cast<uint16_t>(sign | (kept + (rest > tie || (rest == tie && (kept & 1u)))));
}

constexpr float half_value(uint16_t bits) {
    const uint32_t sign = static_cast<uint32_t>(bits & 0x8000u) << 16, exponent = (bits >> 10) & 31u, mantissa = bits & 0x3ffu;
    if (exponent == 31) return __builtin_bit_cast(float, sign | 0x7f800000u | (mantissa << 13));
    if (exponent) return __builtin_bit_cast(float, sign | ((exponent + 112) << 23) | (mantissa << 13));
    const float magnitude = static_cast<float>(mantissa) * 5.9604644775390625e-8f; // 2^-24, exact
    return sign ? -magnitude : magnitude;
}

} // namespace aclimb

struct bfloat16_t;

struct half {
    uint16_t bits;

    half() = default;
    template <typename N, aclimb::if_number<N> = 0> constexpr half(N value) : bits(aclimb::half_bits(aclimb::widen(value))) {}
    template <typename B, std::enable_if_t<std::is_same_v<B, bfloat16_t>, int> = 0> explicit constexpr half(B value) : half(float(value)) {}
    constexpr operator float() const { return aclimb::half_value(bits); }
    static constexpr half from_bits(uint16_t pattern) {
        half made{};
        made.bits = pattern;
        return made;
    }
    ACLIMB_SMALL_FLOAT(half)
};
static_assert(sizeof(half) == 2 && std::is_trivially_copyable_v<half>, "half crosses to the engine as two plain bytes");

using float16_t = half;
