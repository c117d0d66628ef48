// SPDX-License-Identifier: Apache-2.0
// The UB of architecture 2201: 16 groups of 3 banks; a row is 32 bytes. Address bits: 0-4 byte, 5-8 group, 9-15 row, 16-17 bank.
// A group serves one row a turn. Where the blocks of a repeat lie is the instructions' own geometry (isa/shapes/repeat.h).
#include "timing/banks.h"

#include <algorithm>
#include <string_view>

#include "isa/rows.h"
#include "isa/shapes/repeat.h"

namespace aclimb::timing {
namespace {

constexpr uint32_t kGroups = 16, kOne = 16;
constexpr uint32_t kShifted = 29; // 1.8: the destination lies in a bank that is read, not aligned with it

// How many tensors it reads besides its destination; Select does without the second in one of its modes.
uint8_t sources_of(const Vector& v) {
    const Row& row = row_of(v.head.op);
    uint8_t sources = 0;
    for (int i = 1; i < 3; i++)
        sources += row.operand[i].role == Role::reads && place_of(v.head, row.operand[i]).memory == static_cast<uint64_t>(Memory::UB);
    return sources;
}

bool integer(Dtype type) { return type != Dtype::half && type != Dtype::bf16 && type != Dtype::f32 && type != Dtype::none; }
Extent extent_in(const Vector& v, Dtype type, Stride stride) { return extent_of(type, v.counted == 1 ? Stride{1, 8} : stride); }

struct Operand {
    uint64_t addr;
    Extent extent;
    uint32_t blocks; // of one repeat
};

Operand operand_in(const Vector& v, const Place& place, Dtype type, Stride stride, uint32_t lanes) {
    const Extent extent = extent_in(v, type, stride);
    return {place.addr, extent, extent.block ? std::max<uint32_t>(1, lanes / extent.block_lanes()) : 1};
}

// Rows of each group that repeat `r` touches of an operand.
void add_rows(const Operand& operand, uint32_t r, uint8_t rows[kGroups]) {
    const uint64_t first = operand.addr + uint64_t{r} * operand.extent.repeat;
    for (uint32_t i = 0; i < operand.blocks; i++) rows[(first + uint64_t{i} * operand.extent.block) / kBlockBytes % kGroups]++;
}

uint32_t turns(const uint8_t rows[kGroups]) { return std::max<uint32_t>(1, *std::max_element(rows, rows + kGroups)); }

bool same_bytes(const Operand& a, const Operand& b) {
    return a.addr == b.addr && a.extent.block == b.extent.block && a.extent.repeat == b.extent.repeat;
}

} // namespace

VectorShape shape_of(const Vector& v) {
    VectorShape shape;
    const uint32_t own = static_cast<uint32_t>(size_of(v.head.dtype)), other = static_cast<uint32_t>(size_of(source_type(v.head)));
    shape.width = std::max({own, other, 1u});
    shape.sources = sources_of(v);
    shape.is_integer = integer(v.head.dtype);
    const uint32_t lanes = kRepeatBytes / shape.width;
    const Repeats repeats = repeats_in(v, lanes);
    shape.repeats = std::max(1u, repeats.count);
    shape.masked = v.counted && repeats.last.end != lanes;
    shape.lanes = 0;
    if (repeats.count) {
        const auto selected = [](const Selection& s) { return __builtin_popcountll(s.bits[0]) + __builtin_popcountll(s.bits[1]); };
        shape.lanes = static_cast<uint32_t>(selected(repeats.each)) * (repeats.count - 1) + static_cast<uint32_t>(selected(repeats.last));
        shape.dst_span = repeats.span(extent_in(v, v.head.dtype, v.dst_stride));
        shape.a_span = repeats.span(extent_in(v, source_type(v.head), v.a_stride));
        shape.b_span = repeats.span(extent_in(v, source_type(v.head), v.b_stride));
    }
    const bool reduces_all = std::string_view(row_of(v.head.op).shape) == "reduce";
    if (reduces_all) { // the results of the first round are reduced again
        for (uint32_t left = shape.repeats; left > 1; left = (left + lanes - 1) / lanes) shape.repeats += (left + lanes - 1) / lanes;
        shape.dst_span = kBlockBytes;
    }
    return shape;
}

uint32_t bank_factor(const Vector& v, const VectorShape& shape) {
    const uint32_t lanes = kRepeatBytes / shape.width;
    const Operand dst = operand_in(v, v.dst, v.head.dtype, v.dst_stride, lanes),
                  a = operand_in(v, v.a, source_type(v.head), v.a_stride, lanes),
                  b = operand_in(v, v.b, source_type(v.head), v.b_stride, lanes);
    const bool reads_a = shape.sources >= 1, reads_b = shape.sources >= 2 && !same_bytes(a, b);
    const auto shifted = [&](const Operand& source) {
        return dst.addr >> 16 == source.addr >> 16 && (dst.addr - source.addr) % kRepeatBytes != 0 && source.extent.block == kBlockBytes &&
               dst.extent.block == kBlockBytes;
    };
    const uint32_t least = (reads_a && shifted(a)) || (shape.sources >= 2 && shifted(b)) ? kShifted : kOne;
    // Repeats whose operands move on together are all alike; otherwise the pattern comes back after 16 of them.
    const bool alike = (!reads_a || a.extent.repeat == dst.extent.repeat) && (!reads_b || b.extent.repeat == dst.extent.repeat);
    const uint32_t looked_at = alike ? 1 : std::min(shape.repeats, kGroups);
    uint32_t total = 0;
    for (uint32_t r = 0; r < looked_at; r++) {
        uint8_t read[kGroups] = {}, written[kGroups] = {};
        if (reads_a) add_rows(a, r, read);
        if (reads_b) add_rows(b, r, read);
        add_rows(dst, r, written);
        total += std::max(std::max(turns(read), turns(written)) * kOne, least);
    }
    return total / looked_at;
}

} // namespace aclimb::timing
