// SPDX-License-Identifier: Apache-2.0
// Exp, Ln, Rsqrt of float lanes, in double and rounded to float once. No table and no branch, so that the loops around them
// vectorise; the same operations in the same order at every SIMD level, so that the bits agree.
// Error before the rounding: below 1e-12 relative, so a float result differs from the correctly rounded one about once in 100,000
// and then by one unit; for all 65,536 half arguments the narrowed result is the correctly rounded one (tested).
#pragma once
#include "isa/numeric/half.h"

namespace aclimb {

// Adding this to a small double leaves its nearest integer in the low bits of the representation.
constexpr double kIntegerShift = 0x1.8p52;

ACLIMB_NUMERIC float exp_lane(float x) {
    constexpr double log2e = 0x1.71547652b82fep0, ln2_high = 0x1.62e42fee00000p-1, ln2_low = 0x1.a39ef35793c76p-33;
    double v = x;
    v = v > 100.0 ? 100.0 : v;   // beyond: infinity, after the conversion to float
    v = v < -120.0 ? -120.0 : v; // beyond: zero; the last subnormal is near -103.97
    const double shifted = v * log2e + kIntegerShift;
    const double k = shifted - kIntegerShift;
    const double r = (v - k * ln2_high) - k * ln2_low; // |r| <= 0.347
    // 1 + r + r^2 * (a polynomial of degree 7 through Chebyshev's points), in pairs: a chain would wait for each of its links.
    const double r2 = r * r, r4 = r2 * r2;
    const double low = (1.0 + r) + (0x1.fffffffffe019p-2 + 0x1.5555555554f89p-3 * r) * r2;
    const double middle = (0x1.55555565e487bp-5 + 0x1.11111117162acp-7 * r) + (0x1.6c166b7b527ccp-10 + 0x1.a019c32395d4ep-13 * r) * r2;
    const double high = 0x1.a137641712777p-16 + 0x1.72adbd823d94ap-19 * r;
    const double p = low + (middle + high * r4) * r4;
    const double scaled = double_of(bits_of(p) + (bits_of(shifted) << 52)); // times 2^k
    const float result = static_cast<float>(scaled);
    return x != x ? x : result;
}

ACLIMB_NUMERIC float ln_lane(float x) {
    constexpr double ln2_high = 0x1.62e42fee00000p-1, ln2_low = 0x1.a39ef35793c76p-33;
    constexpr uint64_t sqrt_half = 0x3fe6a09e667f3bcdu, one = 0x3ff0000000000000u;
    const uint64_t u = bits_of(static_cast<double>(x)) + (one - sqrt_half);
    const double k = double_of((u >> 52 & 0x7ffu) | 0x4330000000000000u) - (0x1p52 + 1023.0); // an exponent as a double
    const double f = double_of((u & 0x000fffffffffffffu) + sqrt_half) - 1.0;                  // x = 2^k * (1 + f)
    const double s = f / (2.0 + f), z = s * s;                                                // ln(1 + f) = 2 atanh(s), |s| < 0.172
    double p = 2.0 / 19.0;
    p = p * z + 2.0 / 17.0;
    p = p * z + 2.0 / 15.0;
    p = p * z + 2.0 / 13.0;
    p = p * z + 2.0 / 11.0;
    p = p * z + 2.0 / 9.0;
    p = p * z + 2.0 / 7.0;
    p = p * z + 2.0 / 5.0;
    p = p * z + 2.0 / 3.0;
    float result = static_cast<float>(k * ln2_high + (k * ln2_low + (2.0 * s + s * z * p)));
    result = x == 0.0f ? -__builtin_inff() : result;
    result = x == __builtin_inff() ? x : result;
    return x >= 0.0f ? result : __builtin_nanf(""); // negative or NaN
}

ACLIMB_NUMERIC float rsqrt_lane(float x) { return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(x))); }
ACLIMB_NUMERIC float sqrt_lane(float x) { return __builtin_sqrtf(x); }

// Max and Min answer NaN when either operand is one, and treat +0 as larger than -0.
ACLIMB_NUMERIC float maximum(float a, float b) {
    const float larger = a > b ? a : b; // b when b is NaN
    const float result = a == b ? float_of(bits_of(a) & bits_of(b)) : larger;
    return a != a ? a : result;
}
ACLIMB_NUMERIC float minimum(float a, float b) {
    const float smaller = a < b ? a : b;
    const float result = a == b ? float_of(bits_of(a) | bits_of(b)) : smaller;
    return a != a ? a : result;
}
ACLIMB_NUMERIC int32_t maximum(int32_t a, int32_t b) { return a > b ? a : b; }
ACLIMB_NUMERIC int32_t minimum(int32_t a, int32_t b) { return a < b ? a : b; }
ACLIMB_NUMERIC int64_t maximum(int64_t a, int64_t b) { return a > b ? a : b; }
ACLIMB_NUMERIC int64_t minimum(int64_t a, int64_t b) { return a < b ? a : b; }

} // namespace aclimb
