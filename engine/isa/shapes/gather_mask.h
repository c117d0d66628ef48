// SPDX-License-Identifier: Apache-2.0
// The geometry of GatherMask: a repeat looks at 256 bytes, or at as many elements as the record says, block by block.
#pragma once
#include "isa/shapes/repeat.h"

namespace aclimb {

struct GatherMask {
    uint32_t repeats, elements; // elements of each repeat
    Extent src;
    uint32_t bits_step; // bytes from one repeat's bits to the next

    uint64_t src_bytes() const { return uint64_t{repeats - 1} * src.repeat + src.reach(elements); }
    uint64_t bits_bytes() const { return uint64_t{repeats - 1} * bits_step + (uint64_t{elements} + 7) / 8; }
    bool is_empty() const { return repeats == 0 || elements == 0; }
};

inline GatherMask gather_mask_of(const Vector& v) {
    const Extent src = extent_of(v.head.dtype, v.a_stride);
    return {static_cast<uint32_t>(v.repeat), v.counted ? v.count : kRepeatBits >> src.bits_shift, src, v.b_stride.repeat * kBlockBytes};
}

// Which of 16 elements a fixed pattern takes; patterns begin anew with every repeat, and a block has a multiple of 4 elements.
constexpr uint32_t kPatternBits[] = {0, 0x5555, 0xaaaa, 0x1111, 0x2222, 0x4444, 0x8888, 0xffff};

} // namespace aclimb
