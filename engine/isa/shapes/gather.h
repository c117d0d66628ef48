// SPDX-License-Identifier: Apache-2.0
// Loops that follow offsets.
#pragma once
#include "isa/shapes/lane.h"

namespace aclimb {

struct OffsetFacts {
    uint32_t highest; // of n offsets
    uint32_t bits;    // all of them, or'ed together
};

struct GatherLoops {
    OffsetFacts (*look)(const uint32_t* offsets, size_t n);
    // dst[i] = the element at byte offsets[i] of `from`; 16-bit and 32-bit elements
    void (*gather[2])(void* dst, const uint8_t* from, const uint32_t* offsets, size_t n);
};

// Offsets that were looked at and found good, and stay so: a copy where the result lands on them. An assumption; the documents do not allow
// such an overlap.
const uint32_t* out_of_the_way(const uint32_t* offsets, uint64_t count, const uint8_t* to, uint64_t span);

ACLIMB_DECLARE_LEVELS(GatherLoops, gather_loops)

} // namespace aclimb
