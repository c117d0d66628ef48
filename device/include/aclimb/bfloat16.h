// SPDX-License-Identifier: Apache-2.0
// bfloat16_t: the upper half of a float. The vector unit of Atlas A2 and A3 has no arithmetic for it (Cast to float first); scalar code has.
#pragma once
#include "aclimb/half.h"

namespace aclimb {

constexpr uint16_t bfloat16_bits(float value) {
    const uint32_t x = __builtin_bit_cast(uint32_t, value);
    if ((x & 0x7fffffffu) > 0x7f800000u) return static_cast<uint16_t>(((x >> 16) & 0x8000u) | 0x7fc0u);
    return static_cast<uint16_t>((x + 0x7fffu + ((x >> 16) & 1u)) >> 16);
}

} // namespace aclimb

struct bfloat16_t {
    uint16_t bits;

    bfloat16_t() = default;
    template <typename N, aclimb::if_number<N> = 0> constexpr bfloat16_t(N value) : bits(aclimb::bfloat16_bits(aclimb::widen(value))) {}
    explicit constexpr bfloat16_t(half value) : bfloat16_t(float(value)) {}
    constexpr operator float() const { return __builtin_bit_cast(float, static_cast<uint32_t>(bits) << 16); }
    static constexpr bfloat16_t from_bits(uint16_t pattern) {
        bfloat16_t made{};
        made.bits = pattern;
        return made;
    }
    ACLIMB_SMALL_FLOAT(bfloat16_t)
};
static_assert(sizeof(bfloat16_t) == 2 && std::is_trivially_copyable_v<bfloat16_t>, "bfloat16_t crosses to the engine as two plain bytes");

// Two of these share a byte in memory; a tensor counts elements, not bytes.
struct int4b_t {
    int8_t value;
    int4b_t() = default;
    constexpr int4b_t(int number) : value(static_cast<int8_t>(static_cast<int8_t>(number << 4) >> 4)) {}
    constexpr operator int8_t() const { return value; }
};
namespace AscendC {
using ::int4b_t;
}
