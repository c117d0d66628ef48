// SPDX-License-Identifier: Apache-2.0
// The geometry of CastDequant: a repeat is 128 elements of int16_t; a block of 16 of them becomes 16 bytes in one half of a block.
#pragma once
#include "isa/shapes/repeat.h"

namespace aclimb {

constexpr uint32_t kDequantLanes = 128, kDequantBlock = 16;

struct Dequant {
    Extent dst, src;
    bool by_element;
    uint32_t half; // byte of a destination block where results begin

    uint64_t byte_of(uint32_t lane) const { return uint64_t{lane / kDequantBlock} * dst.block + half + lane % kDequantBlock; }
    uint64_t dst_bytes(const Repeats& repeats) const {
        const uint64_t tail = uint64_t{repeats.count - 1} * dst.repeat + reach(repeats.last.end);
        if (repeats.count == 1) return tail;
        const uint64_t before = uint64_t{repeats.count - 2} * dst.repeat + reach(repeats.each.end);
        return before > tail ? before : tail;
    }

  private:
    uint64_t reach(uint32_t end) const { return byte_of(end - 1) + 1; }
};

inline Dequant dequant_of(const Vector& v) {
    const bool dense = v.counted == 1;
    return {extent_of(Dtype::i8, dense ? Stride{1, 8} : v.dst_stride), extent_of(Dtype::i16, dense ? Stride{1, 8} : v.a_stride),
            (v.mode & 1) != 0, v.mode & 2 ? 0u : 16u};
}

} // namespace aclimb
