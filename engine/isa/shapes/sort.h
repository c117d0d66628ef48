// SPDX-License-Identifier: Apache-2.0
// Pairs of a score and an index in 8 bytes: the score in the low bytes (of half, two bytes of zeros behind it), the index in the high four.
#pragma once
#include "isa/shapes/lane.h"

namespace aclimb {

constexpr uint32_t kPairBytes = 8, kSorted = 32; // pairs that Sort32 sorts at once

struct Merging {
    const uint64_t* list[4];
    uint32_t length[4];
    bool suspends;
    uint32_t used[4]; // out
};

struct SortLoops {
    void (*sort)(uint64_t* dst, const void* scores, const uint32_t* indices); // 32 of each
    uint64_t (*merge)(uint64_t* dst, Merging& merging);                       // how many pairs
};

// half and float
struct SortTable {
    SortLoops of[2];
};
ACLIMB_DECLARE_LEVELS(SortTable, sort_loops)

} // namespace aclimb
