// SPDX-License-Identifier: Apache-2.0
// op::fp16_t: a half on the host. What does not fit becomes infinite; ties go to the even one.
#pragma once
#include <cstdint>
#include <cstring>
#include <limits>

namespace op {
struct fp16_t {
    uint16_t val;

    fp16_t() : val(0) {}
    template <typename T> fp16_t(const T& value) : val(bits_of(static_cast<float>(value))) {}
    static fp16_t from_bits(uint16_t bits) {
        fp16_t made;
        made.val = bits;
        return made;
    }
    operator float() const { return toFloat(); }
    float toFloat() const {
        const uint32_t sign = static_cast<uint32_t>(val & 0x8000U) << 16, exponent = val >> 10 & 0x1FU, fraction = val & 0x3FFU;
        if (exponent == 0) return (sign ? -1.0f : 1.0f) * static_cast<float>(fraction) / 16777216.0f;
        return as_float(sign | (exponent == 31 ? 0xFFU : exponent + 112) << 23 | fraction << 13);
    }
    double toDouble() const { return toFloat(); }
    // 1 and -1 for the infinities, else 0.
    int IsInf() const { return (val & 0x7FFFU) != 0x7C00U ? 0 : (val & 0x8000U) != 0 ? -1 : 1; }

  private:
    static float as_float(uint32_t bits) {
        float made;
        std::memcpy(&made, &bits, sizeof made);
        return made;
    }
    static uint16_t bits_of(float value) {
        uint32_t bits;
        std::memcpy(&bits, &value, sizeof bits);
        const uint16_t sign = static_cast<uint16_t>(bits >> 16 & 0x8000U);
        const uint32_t size = bits & 0x7FFFFFFFU;
        if (size > 0x7F800000U) return static_cast<uint16_t>(sign | 0x7E00U);
        if (size >= 0x477FF000U) return static_cast<uint16_t>(sign | 0x7C00U); // 65520 and more
        if (size < 0x33000001U) return sign;                                   // 2^-25 and less
        const uint32_t exponent = size >> 23, dropped = exponent > 112 ? 13 : 126 - exponent;
        const uint32_t fraction = (size & 0x7FFFFFU) | 0x800000U, rest = fraction & ((1U << dropped) - 1), half = 1U << (dropped - 1);
        uint32_t kept = fraction >> dropped;
        if (rest > half || (rest == half && (kept & 1U) != 0)) ++kept;
        return static_cast<uint16_t>(sign | (exponent > 112 ? kept + ((exponent - 113) << 10) : kept));
    }
};
} // namespace op
