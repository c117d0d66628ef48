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

ACLIMB_DECLARE_LEVELS(GatherLoops, gather_loops)

} // namespace aclimb
