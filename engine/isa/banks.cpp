// SPDX-License-Identifier: Apache-2.0
// The UB of architecture 2201: 16 groups of 3 banks; a row is 32 bytes. Address bits: 0-4 byte, 5-8 group, 9-15 row, 16-17 bank.
// A group serves one row a turn. Where the blocks of a repeat lie is the instructions' own geometry (isa/shapes/repeat.h).
#include "isa/banks.h"

#include <algorithm>
#include <string_view>

#include "isa/ranges.h"
#include "isa/rows.h"
#include "isa/shapes/gather_mask.h"
#include "isa/shapes/sort.h"
#include "isa/shapes/transpose.h"

namespace aclimb {
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

constexpr uint32_t kSquare = kSquareBytes / kRepeatBytes; // repeats

// How many times 256 bytes an instruction handles that puts elements elsewhere; of a sort, bytes of pairs. 0: it goes by lanes.
uint32_t moved_repeats(const Vector& v) {
    const std::string_view shape = row_of(v.head.op).shape;
    const auto repeat = static_cast<uint32_t>(v.repeat);
    const auto repeats_in_bytes = [](uint64_t bytes) { return static_cast<uint32_t>((bytes + kRepeatBytes - 1) / kRepeatBytes); };
    if (shape == "gather_block" || shape == "sort") return std::max(1u, repeat);
    if (shape == "transpose") return kSquare;
    if (shape == "trans_data") return std::max(1u, kSquare * repeat);
    if (shape == "transpose_4d") return std::max(1u, repeats_in_bytes(transpose_4d_of(v).bytes()));
    if (shape == "gather_mask") {
        const GatherMask mask = gather_mask_of(v);
        return std::max(1u, mask.repeats * repeats_in_bytes(mask.src.bytes(mask.elements)));
    }
    if (shape != "merge") return 0;
    uint64_t pairs = 0;
    for (const uint16_t each : reinterpret_cast<const MergeSort&>(v).length) pairs += each * uint64_t{repeat};
    return std::max(1u, repeats_in_bytes(pairs * kPairBytes));
}

void add_spans(VectorShape& shape, const Vector& v) {
    thread_local Ranges touched;
    touched.clear();
    vector_ranges(v, touched);
    for (const Bytes& each : touched) {
        uint64_t& span = each.operand == 0 ? shape.dst_span : each.operand == 1 ? shape.a_span : shape.b_span;
        const uint64_t from = each.operand == 0 ? v.dst.addr : each.operand == 1 ? v.a.addr : v.b.addr;
        if (each.operand < 3) span = std::max(span, each.end() - from);
    }
}

VectorShape moved_shape(VectorShape shape, const Vector& v, uint32_t repeats) {
    shape.repeats = repeats;
    shape.lanes = repeats * kRepeatBytes / shape.width;
    shape.by_blocks = false;
    add_spans(shape, v);
    return shape;
}

} // namespace

VectorShape shape_of(const Vector& v) {
    VectorShape shape;
    const uint32_t own = static_cast<uint32_t>(size_of(v.head.dtype)), other = static_cast<uint32_t>(size_of(source_type(v.head)));
    shape.width = std::max({own, other, 1u});
    shape.sources = sources_of(v);
    shape.is_integer = integer(v.head.dtype);
    if (const uint32_t moved = moved_repeats(v)) return moved_shape(shape, v, moved);
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
    if (std::string_view(row_of(v.head.op).shape) == "gather") { // reads anywhere; offsets of 4 bytes
        shape.by_blocks = false;
        shape.a_span = shape.b_span = 0;
        add_spans(shape, v);
    }
    const bool reduces_all = std::string_view(row_of(v.head.op).shape) == "reduce";
    if (reduces_all) { // the results of the first round are reduced again
        for (uint32_t left = shape.repeats; left > 1; left = (left + lanes - 1) / lanes) shape.repeats += (left + lanes - 1) / lanes;
        shape.dst_span = kBlockBytes;
    }
    return shape;
}

uint32_t bank_factor(const Vector& v, const VectorShape& shape) {
    if (!shape.by_blocks) return kOne;
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

} // namespace aclimb
