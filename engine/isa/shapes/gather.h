// SPDX-License-Identifier: Apache-2.0
// Loops that follow offsets.
#pragma once
#include "isa/shapes/lane.h"

namespace aclimb {

struct Datapath;

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

// Whether [to, to + span) and what is read up to the highest offset have bytes in common: then somebody has to look closer.
__attribute__((always_inline)) inline bool may_overlap(const uint8_t* from, uint64_t read, const uint8_t* to, uint64_t span) {
    return from < to + span && to < from + read;
}

// The documents allow no overlap of source and destination. Strict ends here; a chip is taken to read each repeat before it writes it.
// `count`: which of the offsets; `bytes`: of what each stands for.
void refuse_overlap(Datapath& core, const Place& src, uint64_t base, uint64_t count, uint32_t offset, uint32_t bytes);

ACLIMB_DECLARE_LEVELS(GatherLoops, gather_loops)

} // namespace aclimb
