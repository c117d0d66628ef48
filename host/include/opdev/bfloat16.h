// SPDX-License-Identifier: Apache-2.0
// op::bfloat16: the upper half of a float, rounded to the nearest, ties to the even one.
#pragma once
#include <cstdint>
#include <cstring>

namespace op {
struct bfloat16 {
    struct from_bits_t {};
    static from_bits_t from_bits() { return from_bits_t(); }
    uint16_t value;

    bfloat16() : value(0) {}
    bfloat16(uint16_t bits, from_bits_t) : value(bits) {}
    template <typename T> bfloat16(const T& number) : value(round_to_bfloat16(static_cast<float>(number)).value) {}
    operator float() const {
        const uint32_t bits = static_cast<uint32_t>(value) << 16;
        float made;
        std::memcpy(&made, &bits, sizeof made);
        return made;
    }
    static bfloat16 round_to_bfloat16(float number) {
        uint32_t bits;
        std::memcpy(&bits, &number, sizeof bits);
        if ((bits & 0x7FFFFFFFU) > 0x7F800000U) return bfloat16(static_cast<uint16_t>(bits >> 16 | 0x40U), from_bits());
        return bfloat16(static_cast<uint16_t>((bits + 0x7FFFU + (bits >> 16 & 1U)) >> 16), from_bits());
    }
    static bfloat16 epsilon() { return bfloat16(0x3C00, from_bits()); }
    static bfloat16 highest() { return bfloat16(0x7F7F, from_bits()); }
    static bfloat16 lowest() { return bfloat16(0xFF7F, from_bits()); }
    static bfloat16 min_positive_normal() { return bfloat16(0x0080, from_bits()); }
};
} // namespace op
