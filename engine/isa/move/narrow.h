// SPDX-License-Identifier: Apache-2.0
// half and bfloat16 to and from float, one value at a time, with integer arithmetic: the reference for every SIMD level.
// Narrowing rounds to nearest even. NaN becomes the one quiet NaN without sign, so that no level leaks its own.
#pragma once
#include <cstdint>
#include <cstring>

namespace aclimb {

constexpr uint32_t kFloatNan = 0x7fc00000;
constexpr uint16_t kHalfNan = 0x7e00, kHalfInf = 0x7c00, kHalfMax = 0x7bff;
constexpr uint16_t kBf16Nan = 0x7fc0, kBf16Inf = 0x7f80, kBf16Max = 0x7f7f;

inline uint32_t bits_of(float value) {
    uint32_t bits;
    std::memcpy(&bits, &value, 4);
    return bits;
}
inline float float_of(uint32_t bits) {
    float value;
    std::memcpy(&value, &bits, 4);
    return value;
}
inline float canonical(float value) { return value == value ? value : float_of(kFloatNan); }

inline float half_to_float(uint16_t bits) {
    const uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16, magnitude = bits & 0x7fff;
    if (magnitude >= kHalfInf) return float_of(sign | 0x7f800000 | (magnitude & 0x3ff) << 13);
    // Shifted into place the exponent is 112 too small; the multiplication mends it, subnormals included, and is exact.
    return float_of(sign | bits_of(float_of(magnitude << 13) * float_of(0x77800000)));
}

inline uint16_t float_to_half(float value, bool saturate) {
    const uint32_t bits = bits_of(value), magnitude = bits & 0x7fffffff;
    const auto sign = static_cast<uint16_t>(bits >> 16 & 0x8000);
    if (magnitude > 0x7f800000) return saturate ? 0 : kHalfNan;
    if (magnitude >= 0x477ff000) return sign | (saturate ? kHalfMax : kHalfInf); // 65520 and above rounds to infinity
    if (magnitude < 0x38800000)                                                   // subnormal: let the adder round at bit 2^-24
        return sign | static_cast<uint16_t>(bits_of(float_of(magnitude) + 0.5f) - 0x3f000000);
    const uint32_t odd = magnitude >> 13 & 1;
    return sign | static_cast<uint16_t>((magnitude - 0x38000000 + 0xfff + odd) >> 13);
}

inline float bf16_to_float(uint16_t bits) { return float_of(static_cast<uint32_t>(bits) << 16); }

inline uint16_t float_to_bf16(float value, bool saturate) {
    const uint32_t bits = bits_of(value);
    if (value != value) return saturate ? 0 : kBf16Nan;
    const auto rounded = static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
    if (saturate && (rounded & 0x7fff) == kBf16Inf) return (rounded & 0x8000) | kBf16Max;
    return rounded;
}

} // namespace aclimb
