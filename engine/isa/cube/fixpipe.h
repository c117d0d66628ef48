// SPDX-License-Identifier: Apache-2.0
// One matrix on its way out of L0C after the checks: what the SIMD levels convert and store.
//
// Row major and NZ differ only in where things lie: element (row, column) of the destination is at
//   row * dst_row + (column / width) * dst_group + (column % width) * element
// The source is (columns / 16) groups of rows of 16 words, src_group bytes apart.
#pragma once
#include "isa/move/units.h"
#include "isa/simd.h"

namespace aclimb {

struct FixpipeJob {
    uint8_t* dst;
    const uint8_t* src;
    uint32_t rows, columns;
    uint32_t width; // columns in a group of the destination: 16, or 8 with channel split
    uint64_t src_group, dst_row, dst_group;
    const uint64_t* scales; // dequantisation: one word a column, or the same one for all
    bool one_scale;
    bool relu, saturate;
};

using FixpipeBody = void (*)(const FixpipeJob&);

struct FixpipeBodies {
    FixpipeBody f32, i32, f32_to_half, f32_to_bf16, i32_to_half;
};

ACLIMB_DECLARE_LEVELS(FixpipeBodies, fixpipe_bodies)

} // namespace aclimb
