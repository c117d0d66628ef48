// SPDX-License-Identifier: Apache-2.0
// Loops that move bits and do not care what they mean: fill, choose.
#pragma once
#include "isa/shapes/lane.h"

namespace aclimb {

// n lanes: a where the bit is 1, else b. Bit i of the selection is bit i % 8 of byte i / 8.
using Choose = void (*)(void* dst, const void* a, const void* b, const uint8_t* selection, size_t n);

struct DataLoops {
    Lane fill[2], copy[2]; // 16-bit and 32-bit lanes
    Choose choose[2];
};

ACLIMB_DECLARE_LEVELS(DataLoops, data_loops)

} // namespace aclimb
