// SPDX-License-Identifier: Apache-2.0
// half and bfloat16 <-> float in integer arithmetic: the reference for every SIMD level, and the whole story on the scalar one.
// Everything here is `static`: a file compiled for AVX-512 must not lend its copy to one that runs without.
// NaN has one form: what arithmetic writes is always the quiet NaN with an otherwise empty payload (half 0x7e00, bfloat16 0x7fc0,
// float 0x7fc00000). Operand order and instruction choice differ between levels and would otherwise show in the payload.
#pragma once
#include <cstdint>

#include "isa/numeric/element.h"

#define ACLIMB_NUMERIC static inline __attribute__((always_inline))

namespace aclimb {

ACLIMB_NUMERIC uint32_t bits_of(float value) { return __builtin_bit_cast(uint32_t, value); }
ACLIMB_NUMERIC float float_of(uint32_t bits) { return __builtin_bit_cast(float, bits); }
ACLIMB_NUMERIC uint64_t bits_of(double value) { return __builtin_bit_cast(uint64_t, value); }
ACLIMB_NUMERIC double double_of(uint64_t bits) { return __builtin_bit_cast(double, bits); }

constexpr float kHalfMax = 65504.0f;
constexpr float kBfloat16Max = 0x1.fep127f;

// On integers: to clang every NaN is as good as another, and it drops a comparison that only swaps one for another.
ACLIMB_NUMERIC float canonical(float value) {
    const int32_t bits = static_cast<int32_t>(bits_of(value)), magnitude = bits & 0x7fffffff;
    return float_of(static_cast<uint32_t>(magnitude > 0x7f800000 ? 0x7fc00000 : bits));
}

// Saturating results of the narrow float types: NaN becomes 0, infinity the largest finite value.
ACLIMB_NUMERIC float saturated(float value, float limit) {
    value = value != value ? 0.0f : value;
    value = value > limit ? limit : value;
    return value < -limit ? -limit : value;
}

// A half's magnitude bits, moved to a float's place, are the value times 2^-112; multiplying undoes it, subnormals included.
ACLIMB_NUMERIC float widen(half value) {
    const uint32_t sign = static_cast<uint32_t>(value.bits & 0x8000u) << 16;
    const uint32_t magnitude = value.bits & 0x7fffu;
    const uint32_t finite = bits_of(float_of(magnitude << 13) * 0x1p112f);
    const uint32_t special = magnitude << 13 | 0x7f800000u;
    return float_of((magnitude >= 0x7c00u ? special : finite) | sign);
}

// To nearest, ties to even. Below 2^-14 the addition of 0.5 puts the result's unit at the float's last place, so that the
// hardware rounds; above, half a unit (less one when the last kept bit is even) is added before the cut.
ACLIMB_NUMERIC half narrow_half(float value) {
    const uint32_t bits = bits_of(value), sign = bits & 0x80000000u, magnitude = bits ^ sign;
    const uint32_t subnormal = bits_of(float_of(magnitude) + 0.5f) - 0x3f000000u;
    const uint32_t normal = (magnitude - 0x38000000u + 0xfffu + (magnitude >> 13 & 1u)) >> 13;
    const uint32_t special = magnitude > 0x7f800000u ? 0x7e00u : 0x7c00u;
    const uint32_t result = magnitude >= 0x477ff000u ? special : magnitude < 0x38800000u ? subnormal : normal;
    return {static_cast<uint16_t>(result | sign >> 16)};
}

ACLIMB_NUMERIC float widen(bfloat16_t value) { return float_of(static_cast<uint32_t>(value.bits) << 16); }

ACLIMB_NUMERIC bfloat16_t narrow_bfloat16(float value) {
    const uint32_t bits = bits_of(value);
    const uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
    return {static_cast<uint16_t>(value != value ? 0x7fc0u : rounded)};
}

} // namespace aclimb
