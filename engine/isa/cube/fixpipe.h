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
    uint32_t width; // columns in a group of the destination: 16, 8 with channel split, 32 where 8-bit results merge
    uint64_t src_group, dst_row, dst_group;
    const uint64_t* scales; // quantisation: one word a column, or the same one for all
    bool one_scale;
    bool relu, saturate;
};

// Bytes from one row of the destination to the next, in the group of that column: a last half of a merged group stays 16 wide.
static inline uint64_t row_pitch(const FixpipeJob& job, uint32_t column) {
    return job.width == 32 && job.columns - column / 32 * 32 < 32 ? job.dst_row / 2 : job.dst_row;
}
static inline uint64_t group_offset(const FixpipeJob& job, uint32_t column) { return column / job.width * job.dst_group; }

using FixpipeBody = void (*)(const FixpipeJob&);

struct FixpipeBodies {
    FixpipeBody f32, i32, f32_to_half, f32_to_bf16, i32_to_half, i32_to_byte, f32_to_byte;
};

ACLIMB_DECLARE_LEVELS(FixpipeBodies, fixpipe_bodies)

} // namespace aclimb
