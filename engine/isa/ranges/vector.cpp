// SPDX-License-Identifier: Apache-2.0
// Vector instructions in the UB. Repeats, blocks and lanes are those of isa/shapes/repeat.h, as for the instructions themselves.
#include <algorithm>
#include <string_view>

#include "aclimb/op.h"
#include "isa/ranges/lanes.h"

namespace aclimb {
namespace {

// The repeat is 256 bytes of the wider operand, also where that is the source.
bool converts(const Row& row) {
    const std::string_view shape = row.shape;
    return shape == "cast" || shape == "binary_cast";
}

// Lane by lane: binary, scalar, unary, fill, conversion, and Copy with a mask.
void lanewise(const Vector& v, Ranges& to) {
    const Row& row = row_of(v.head.op);
    const Stride strides[] = {v.dst_stride, v.a_stride, v.b_stride};
    const uint32_t own = bits_shift_of(v.head.dtype), other = bits_shift_of(source_type(v.head));
    const Repeats repeats = repeats_in(v, kRepeatBits >> (converts(row) && other > own ? other : own));
    for (int i = 0; i < row.operands; i++) {
        const Operand operand = operand_of(v, i);
        const Extent extent = extent_of(i == 0 ? v.head.dtype : source_type(v.head), strides[i]);
        if (v.counted == 1) to.add(i, operand.role, operand.addr, extent.bytes(v.count));
        else add_repeats(to, operand, extent, repeats);
    }
}

// Copy in counter mode: `count` elements in each repeat, block by block.
void counted_copy(const Vector& v, Ranges& to) {
    const Stride strides[] = {v.dst_stride, v.a_stride};
    for (int i = 0; i < 2; i++) {
        const Operand operand = operand_of(v, i);
        const Extent extent = extent_of(v.head.dtype, strides[i]);
        uint64_t begin = operand.addr;
        for (uint64_t left = extent.bytes(v.count); left; begin += extent.block) {
            const uint64_t some = left < kBlockBytes ? left : kBlockBytes;
            to.add(i, operand.role, begin, some, static_cast<uint64_t>(v.repeat), extent.repeat);
            left -= some;
        }
    }
}

void broadcast_block(const Vector& v, Ranges& to) {
    const Extent extent = extent_of(v.head.dtype, v.dst_stride);
    const auto repeats = static_cast<uint64_t>(v.repeat);
    for (uint64_t block = 0; block < 8; block++)
        to.add(0, Role::writes, v.dst.addr + block * extent.block, kBlockBytes, repeats, extent.repeat);
    if (repeats) to.add(1, Role::reads, v.a.addr, extent.bytes(8 * repeats));
}

// To bits: whole repeats, the mask has no say.
void compare(const Vector& v, Ranges& to) {
    const Row& row = row_of(v.head.op);
    const Stride strides[] = {{}, v.a_stride, v.b_stride};
    const uint32_t lanes = kRepeatBits >> bits_shift_of(source_type(v.head));
    Vector whole = v;
    whole.mask[0] = whole.mask[1] = ~uint64_t{0};
    whole.count -= v.count % lanes;
    const Repeats repeats = repeats_in(whole, lanes);
    if (repeats.count) to.add(0, Role::writes, v.dst.addr, uint64_t{repeats.count} * lanes / 8);
    for (int i = 1; i < row.operands; i++) {
        const Extent extent = extent_of(source_type(v.head), v.counted == 1 ? Stride{1, 8} : strides[i]);
        add_repeats(to, operand_of(v, i), extent, repeats);
    }
}

void compare_to_register(const Vector& v, Ranges& to) {
    const uint32_t lanes = kRepeatBits >> bits_shift_of(source_type(v.head));
    const Selection selection = v.counted ? first_lanes(v.count < lanes ? v.count : lanes) : masked_lanes(v.mask, lanes);
    add_lanes(to, operand_of(v, 1), v.a.addr, extent_of(source_type(v.head), v.a_stride), selection, 1);
    add_lanes(to, operand_of(v, 2), v.b.addr, extent_of(source_type(v.head), v.b_stride), selection, 1);
}

constexpr uint64_t kReservedAt = 184 << 10, kReservedBytes = 8 << 10; // documented: Select of modes 1 and 2 computes there

// The bits of the mask select between two sources, and either may matter: both are read where a lane is written.
void select(const Select& record, Ranges& to) {
    constexpr uint8_t kTensorScalar = 1;
    const Vector& v = record.vector;
    const bool dense = v.counted == 1;
    const Repeats repeats = repeats_in(v, kRepeatBits >> bits_shift_of(v.head.dtype));
    if (repeats.count == 0) return;
    const auto extent = [&](Stride stride) { return extent_of(v.head.dtype, dense ? Stride{1, 8} : stride); };
    add_repeats(to, operand_of(v, 0), extent(v.dst_stride), repeats);
    add_repeats(to, operand_of(v, 1), extent(v.a_stride), repeats);
    if (v.mode != kTensorScalar) add_repeats(to, operand_of(v, 2), extent(v.b_stride), repeats);
    if (v.mode) to.add(kReservedOperand, Role::scratches, kReservedAt, kReservedBytes);
}

void cmp_mask(const Vector& v, Ranges& to) {
    constexpr uint64_t kRegisterBytes = 16;
    const int index = v.head.op == Op::get_cmp_mask ? 0 : 1;
    const Operand operand = operand_of(v, index);
    to.add(index, operand.role, operand.addr, kRegisterBytes);
}

Repeats reduced(const Vector& v, Ranges& to, bool dense) {
    const Repeats repeats = repeats_in(v, kRepeatBits >> bits_shift_of(v.head.dtype));
    add_repeats(to, operand_of(v, 1), extent_of(v.head.dtype, dense ? Stride{1, 8} : v.a_stride), repeats);
    return repeats;
}

constexpr uint8_t kOnlyValue = 2, kOnlyIndex = 3; // AscendC::ReduceOrder

void reduce_repeat(const Vector& v, Ranges& to) {
    const Repeats repeats = reduced(v, to, false);
    const uint64_t element = size_of(v.head.dtype);
    const bool is_sum = row_of(v.head.op).leaves & kSumRegister;
    const uint64_t result = is_sum || v.mode == kOnlyValue ? element : v.mode == kOnlyIndex ? 4 : 2 * element;
    to.add(0, Role::writes, v.dst.addr, result, repeats.count, static_cast<int64_t>(v.dst_stride.repeat * result));
}

// `lanes` lanes become one result; one that has no selected lane is not written.
void add_results(const Vector& v, Ranges& to, const Repeats& repeats, uint32_t lanes, uint64_t step) {
    const uint64_t element = size_of(v.head.dtype);
    for (uint32_t r = 0; r < repeats.count; r++)
        for (uint32_t at = 0; at < repeats.lanes; at += lanes)
            if (repeats.of(r).of(at, lanes)) to.add(0, Role::writes, v.dst.addr + r * step + at / lanes * element, element);
}

void reduce_block(const Vector& v, Ranges& to) {
    const uint64_t element = size_of(v.head.dtype);
    add_results(v, to, reduced(v, to, false), kBlockBytes / static_cast<uint32_t>(element), v.dst_stride.repeat * 8 * element);
}

void reduce_pair(const Vector& v, Ranges& to) {
    add_results(v, to, reduced(v, to, false), 2, uint64_t{v.dst_stride.repeat} * (kRepeatBytes / 2));
}

// Documented: the results of each repeat, for an extreme with its index; to find the index of the whole, those of every round, each from a
// whole block on. Where the last round leaves its one result is not said, so that is not named; nor is what lies beyond the tensor.
void reduce_scratch(const Vector& v, Ranges& to, const Repeats& repeats, bool with_index) {
    const uint64_t element = size_of(v.head.dtype), results = row_of(v.head.op).leaves & kSumRegister ? 1 : 2;
    uint64_t begin = 0, count = results * (v.counted ? std::max<uint64_t>(v.count / repeats.lanes, 1) : repeats.count);
    do {
        const uint64_t end = std::min<uint64_t>(begin + count * element, v.b.size);
        if (begin < end) to.add(2, Role::scratches, v.b.addr + begin, end - begin);
        begin += (count * element + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
        count = (count + repeats.lanes - 1) / repeats.lanes * results;
    } while (with_index && count > results);
}

void reduce(const Vector& v, Ranges& to) {
    const Repeats repeats = reduced(v, to, v.counted == 1);
    if (repeats.count == 0) return;
    const bool with_index = row_of(v.head.op).leaves & kExtremeRegister && v.mode;
    reduce_scratch(v, to, repeats, with_index);
    to.add(0, Role::writes, v.dst.addr, size_of(v.head.dtype) * (with_index ? 2 : 1));
}

} // namespace

void select_mask_ranges(const Select& record, uint64_t in_register, Ranges& to) {
    const Vector& v = record.vector;
    const bool continuous = v.mode != 0;
    const Repeats repeats = repeats_in(v, kRepeatBits >> bits_shift_of(v.head.dtype));
    if (repeats.count == 0 || (!record.has_mask && !continuous)) return;
    const uint64_t whole = continuous ? uint64_t{repeats.count - 1} * repeats.lanes : 0;
    const uint32_t end = continuous || repeats.count == 1 ? repeats.last.end : repeats.each.end;
    to.add(3, Role::reads, record.has_mask ? record.mask.addr : in_register, (whole + end + 7) / 8);
}

void vector_ranges(const Vector& v, Ranges& to) {
    const std::string_view shape = row_of(v.head.op).shape;
    if (shape == "select") return select(reinterpret_cast<const Select&>(v), to);
    if (shape == "compare") return v.head.op == Op::vcmp_mask ? compare_to_register(v, to) : compare(v, to);
    if (shape == "cmp_mask") return cmp_mask(v, to);
    if (shape == "broadcast_block") return broadcast_block(v, to);
    if (shape == "reduce_repeat") return reduce_repeat(v, to);
    if (shape == "reduce_block") return reduce_block(v, to);
    if (shape == "reduce_pair") return reduce_pair(v, to);
    if (shape == "reduce") return reduce(v, to);
    if (shape == "move" && v.counted) return counted_copy(v, to);
    if (shape == "gather") return gather_ranges(v, to);
    if (shape == "gather_block") return gather_block_ranges(v, to);
    if (shape == "gather_mask") return gather_mask_ranges(v, to);
    if (shape == "transpose") return transpose_ranges(v, to);
    if (shape == "transpose_4d") return transpose_4d_ranges(v, to);
    if (shape == "trans_data") return trans_data_ranges(reinterpret_cast<const TransData&>(v), to);
    if (shape == "sort") return sort_ranges(v, to);
    if (shape == "merge") return merge_ranges(reinterpret_cast<const MergeSort&>(v), to);
    if (shape == "dequant") return dequant_ranges(v, to);
    lanewise(v, to);
}

} // namespace aclimb
