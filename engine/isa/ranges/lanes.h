// SPDX-License-Identifier: Apache-2.0
// The selected lanes of repeats as rows of bytes.
#pragma once
#include "isa/ranges.h"
#include "isa/shapes/repeat.h"

namespace aclimb {

struct Operand {
    int index;
    Role role;
    uint64_t addr;
};

inline Operand operand_of(const Vector& v, int index) {
    const OperandRow& row = row_of(v.head.op).operand[index];
    return {index, row.role, place_of(v.head, row).addr};
}

// The selected lanes of `count` repeats: run by run of lanes in each block.
inline void add_lanes(Ranges& to, const Operand& operand, uint64_t begin, const Extent& extent, const Selection& selection,
                      uint32_t count) {
    if (selection.end == 0) return;
    if (selection.dense && extent.is_contiguous(selection.end))
        return to.add(operand.index, operand.role, begin, extent.bytes(selection.end), count, extent.repeat);
    const uint32_t step = extent.block_lanes();
    for (uint32_t lane = 0; lane < selection.end; lane += step, begin += extent.block) {
        uint64_t bits = selection.of(lane, step);
        while (bits) {
            const auto first = static_cast<uint32_t>(__builtin_ctzll(bits));
            const uint64_t rest = ~(bits >> first);
            const uint32_t run = rest ? static_cast<uint32_t>(__builtin_ctzll(rest)) : 64 - first;
            to.add(operand.index, operand.role, begin + extent.bytes(first), extent.bytes(run), count, extent.repeat);
            bits = first + run >= 64 ? 0 : bits >> (first + run) << (first + run);
        }
    }
}

inline void add_repeats(Ranges& to, const Operand& operand, const Extent& extent, const Repeats& repeats) {
    if (repeats.count == 0) return;
    const bool even = repeats.each.bits[0] == repeats.last.bits[0] && repeats.each.bits[1] == repeats.last.bits[1];
    const uint32_t same = even ? repeats.count : repeats.count - 1;
    if (same) add_lanes(to, operand, operand.addr, extent, repeats.each, same);
    if (!even) add_lanes(to, operand, operand.addr + uint64_t{same} * extent.repeat, extent, repeats.last, 1);
}

void gather_ranges(const Vector& v, Ranges& to);
void gather_block_ranges(const Vector& v, Ranges& to);
void gather_mask_ranges(const Vector& v, Ranges& to);
void transpose_ranges(const Vector& v, Ranges& to);
void transpose_4d_ranges(const Vector& v, Ranges& to);
void trans_data_ranges(const TransData& record, Ranges& to);
void sort_ranges(const Vector& v, Ranges& to);
void merge_ranges(const MergeSort& record, Ranges& to);
void dequant_ranges(const Vector& v, Ranges& to);

} // namespace aclimb
