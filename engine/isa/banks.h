// SPDX-License-Identifier: Apache-2.0
// How a vector instruction lies in the UB: its repeats, and what the banks make of them.
#pragma once
#include <cstdint>

#include "isa/rows.h"

namespace aclimb {

struct VectorShape {
    uint32_t repeats = 1, lanes = 0; // lanes: over all repeats
    uint32_t width = 4;              // bytes of the widest element
    uint8_t sources = 1;
    bool is_integer = false;
    bool by_blocks = true; // false: it does not go through the blocks of its operands with their strides
    bool masked = false;   // counter mode or a tail that does not fill its repeat
    uint64_t dst_span = 0, a_span = 0, b_span = 0;
};

VectorShape shape_of(const Vector& v);

// 16 where every repeat takes its one turn; 32 where it takes two, ...
uint32_t bank_factor(const Vector& v, const VectorShape& shape);

} // namespace aclimb
