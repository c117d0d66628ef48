// SPDX-License-Identifier: Apache-2.0
#include "check/operands.h"

#include <bit>
#include <string_view>

#include "aclimb/op.h"
#include "check/gm_log.h"
#include "isa/shapes/repeat.h"

namespace aclimb::check {
namespace {

// --- results and sources of one width, block by block

constexpr uint32_t kBlocks = kRepeatBytes / kBlockBytes;

struct Operand {
    uint64_t addr;
    Extent extent;
    uint64_t block(uint32_t repeat, uint32_t j) const { return addr + uint64_t{repeat} * extent.repeat + uint64_t{j} * extent.block; }
};

Operand operand_of(const Place& place, Dtype type, Stride stride, const Vector& v) {
    return {place.addr, extent_of(type, v.counted == 1 ? Stride{1, 8} : stride)};
}

// Lanes that both have, where block `i` of one lies at the place of block `j` of the other.
uint64_t common(const Selection& a, uint32_t i, const Selection& b, uint32_t j, uint32_t lanes) {
    return a.of(i * lanes, lanes) & b.of(j * lanes, lanes);
}

struct Where {
    uint64_t begin, end;
};

// In a repeat the two are the same or apart.
std::optional<Where> meet_in_repeat(const Repeats& repeats, const Operand& dst, const Operand& src, uint32_t repeat) {
    const Selection& lanes = repeats.of(repeat);
    const uint32_t each = dst.extent.block_lanes();
    for (uint32_t i = 0; i < kBlocks; i++)
        for (uint32_t j = 0; j < kBlocks; j++) {
            if (i == j || dst.block(repeat, i) != src.block(repeat, j)) continue;
            if (common(lanes, i, lanes, j, each)) return Where{src.block(repeat, j), src.block(repeat, j) + kBlockBytes};
        }
    return std::nullopt;
}

// What one repeat writes is not what a later one reads. Sums into one place, with a stride of 0, are an idiom.
std::optional<Where> meet_later(const Repeats& repeats, const Operand& dst, const Operand& src) {
    if (!dst.extent.repeat || !src.extent.repeat) return std::nullopt;
    const uint32_t each = dst.extent.block_lanes();
    for (uint32_t from = 0; from < repeats.count; from++)
        for (uint32_t i = 0; i < kBlocks; i++)
            for (uint32_t j = 0; j < kBlocks; j++) {
                const uint64_t there = dst.block(from, i), first = src.block(from + 1, j);
                if (there < first || (there - first) % src.extent.repeat) continue;
                const uint64_t to = from + 1 + (there - first) / src.extent.repeat;
                if (to >= repeats.count) continue;
                if (common(repeats.of(from), i, repeats.of(static_cast<uint32_t>(to)), j, each)) return Where{there, there + kBlockBytes};
            }
    return std::nullopt;
}

std::optional<Misplaced> partly_over(const Vector& v, int operand, const Operand& dst, const Operand& src) {
    const Repeats repeats = repeats_in(v, kRepeatBits >> dst.extent.bits_shift);
    if (!repeats.count) return std::nullopt;
    if (dst.addr + repeats.span(dst.extent) <= src.addr || src.addr + repeats.span(src.extent) <= dst.addr) return std::nullopt;
    const bool same = dst.addr == src.addr && dst.extent.block == src.extent.block && dst.extent.repeat == src.extent.repeat;
    if (same && dst.extent.block == kBlockBytes && dst.extent.repeat >= kRepeatBytes) return std::nullopt;
    for (uint32_t repeat = 0; repeat < repeats.count && !same; repeat++)
        if (const auto found = meet_in_repeat(repeats, dst, src, repeat))
            return Misplaced{FindingKind::overlap, operand, found->begin, found->end, 0};
    if (const auto found = meet_later(repeats, dst, src)) return Misplaced{FindingKind::overlap, operand, found->begin, found->end, 0};
    return std::nullopt;
}

// --- results that are wider

// The last repeat may lie over its own source: halves in the upper half of a tile, widened into the whole, are a known idiom.
std::optional<Misplaced> widened_over(const Vector& v, int operand, const Operand& dst, const Operand& src) {
    const Repeats repeats = repeats_in(v, kRepeatBits >> dst.extent.bits_shift);
    if (v.counted != 1 || repeats.count < 2) return std::nullopt;
    const uint64_t written = dst.extent.bytes(repeats.lanes), read = src.extent.bytes(repeats.lanes), all = src.extent.bytes(v.count);
    for (uint32_t r = 0; r + 1 < repeats.count; r++) {
        const uint64_t begin = dst.addr + r * written, end = begin + written, left = src.addr + (r + 1) * read;
        if (begin < src.addr + all && left < end)
            return Misplaced{FindingKind::over_itself, operand, std::max(begin, left), std::min(end, src.addr + all), 0};
    }
    return std::nullopt;
}

// Brcb, Gather and merges read anywhere: nothing in common.
std::optional<Misplaced> over_any(const Ranges& touched) {
    for (const Bytes& written : touched) {
        if (written.role != Role::writes) continue;
        for (const Bytes& read : touched)
            if (read.role == Role::reads && overlap(written, read))
                return Misplaced{FindingKind::over_itself, read.operand, std::max(written.begin, read.begin),
                                 std::min(written.end(), read.end()), 0};
    }
    return std::nullopt;
}

std::optional<Misplaced> left_out(const Vector& v) {
    const Dtype type = source_type(v.head);
    const uint32_t lanes = kRepeatBits >> bits_shift_of(type), left = v.count % lanes;
    if (v.counted != 1 || !left) return std::nullopt;
    const uint64_t bytes = left * size_of(type), begin = v.a.addr + (v.count - left) * size_of(type);
    return Misplaced{FindingKind::compare_tail, 1, begin, begin + bytes, bytes};
}

} // namespace

std::optional<Misplaced> misplaced(const Head& head, const Ranges& touched) {
    const Row& row = row_of(head.op);
    if (row.kind != Class::vector) return std::nullopt;
    const std::string_view shape = row.shape;
    const auto& v = reinterpret_cast<const Vector&>(head);
    if (shape == "compare" && head.op != Op::vcmp_mask) return left_out(v);
    if (shape == "broadcast_block" || shape == "gather" || shape == "gather_block" || shape == "merge") return over_any(touched);
    const bool by_lanes = shape == "binary" || shape == "accumulate" || shape == "scalar_lane" || shape == "scalar_accumulate" ||
                          shape == "unary" || shape == "cast" || shape == "binary_cast" || shape == "select";
    const Dtype from = source_type(head);
    const uint32_t own = bits_shift_of(head.dtype), other = bits_shift_of(from);
    if (!by_lanes || own < 4 || other < 4 || own < other) return std::nullopt; // narrower results stay behind their sources
    const Operand dst = operand_of(v.dst, head.dtype, v.dst_stride, v);
    for (int i = 1; i < row.operands && i < 3; i++) {
        if (row.operand[i].role != Role::reads) continue;
        if (shape == "select" && i == 2 && v.mode == 1) continue; // a scalar in its place
        const Operand src = operand_of(i == 1 ? v.a : v.b, from, i == 1 ? v.a_stride : v.b_stride, v);
        const auto found = own > other ? widened_over(v, i, dst, src) : partly_over(v, i, dst, src);
        if (found) return found;
    }
    return std::nullopt;
}

} // namespace aclimb::check
