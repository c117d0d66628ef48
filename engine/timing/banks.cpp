// SPDX-License-Identifier: Apache-2.0
// The UB of architecture 2201: 16 groups of 3 banks; a row is 32 bytes. Address bits: 0-4 byte, 5-8 group, 9-15 row, 16-17 bank.
// A group serves one row a turn.
#include "timing/banks.h"

#include <algorithm>

#include "aclimb/op.h"
#include "isa/rows.h"

namespace aclimb::timing {
namespace {

constexpr uint32_t kBlock = 32, kGroups = 16, kOne = 16;
constexpr uint32_t kShifted = 29; // 1.8: the destination lies in a bank that is read, not aligned with it

struct Operand {
    uint64_t addr;
    Stride stride;
    uint32_t width;
};

// How many tensors it reads besides its destination; Select does without the second in one of its modes.
uint8_t sources_of(const Vector& v) {
    const Row& row = row_of(v.head.op);
    uint8_t sources = 0;
    for (int i = 1; i < 3; i++)
        sources += row.operand[i].role == Role::reads && place_of(v.head, row.operand[i]).memory == static_cast<uint64_t>(Memory::UB);
    return sources;
}

bool integer(Dtype type) { return type != Dtype::half && type != Dtype::bf16 && type != Dtype::f32 && type != Dtype::none; }

uint64_t span_of(const VectorShape& shape, const Vector& v, Stride stride, uint32_t width) {
    if (v.counted == 1) return uint64_t{shape.lanes} * width;
    const uint64_t blocks = std::max<uint32_t>(1, 8 * width / std::max(1u, shape.width));
    return uint64_t{shape.repeats - 1} * stride.repeat * kBlock + (blocks - 1) * stride.block * kBlock + kBlock;
}

// Rows of each group that one repeat reads of an operand.
void add_rows(const Operand& operand, uint32_t widest, uint8_t rows[kGroups]) {
    const uint32_t blocks = std::max(1u, 8 * operand.width / widest);
    for (uint32_t i = 0; i < (operand.stride.block ? blocks : 1u); i++)
        rows[(operand.addr / kBlock + uint64_t{i} * operand.stride.block) % kGroups]++;
}

} // namespace

VectorShape shape_of(const Vector& v) {
    VectorShape shape;
    const uint32_t own = static_cast<uint32_t>(size_of(v.head.dtype));
    const uint32_t other = v.head.dtype2 == Dtype::none ? own : static_cast<uint32_t>(size_of(v.head.dtype2));
    shape.width = std::max({own, other, 1u});
    shape.sources = sources_of(v);
    shape.is_integer = integer(v.head.dtype);
    const uint32_t a_repeat = 256 / shape.width;
    if (v.counted) {
        shape.repeats = std::max(1u, (v.count + a_repeat - 1) / a_repeat);
        shape.lanes = v.count;
        shape.masked = v.count % a_repeat != 0;
    } else {
        shape.repeats = static_cast<uint32_t>(std::max(1, v.repeat));
        const uint32_t lanes =
            static_cast<uint32_t>(__builtin_popcountll(v.mask[0]) + (a_repeat > 64 ? __builtin_popcountll(v.mask[1]) : 0));
        shape.lanes = shape.repeats * std::min(lanes, a_repeat);
    }
    const bool reduces_all = v.head.op == Op::reduce_sum || v.head.op == Op::reduce_max || v.head.op == Op::reduce_min;
    if (reduces_all) // the results of the first round are reduced again
        for (uint32_t left = shape.repeats; left > 1; left = (left + a_repeat - 1) / a_repeat)
            shape.repeats += (left + a_repeat - 1) / a_repeat;
    shape.dst_span = reduces_all ? kBlock : span_of(shape, v, v.dst_stride, own);
    shape.a_span = span_of(shape, v, v.a_stride, other);
    shape.b_span = span_of(shape, v, v.b_stride, other);
    return shape;
}

uint32_t bank_factor(const Vector& v, const VectorShape& shape) {
    const bool dense = v.counted == 1;
    const auto stride = [&](Stride given) { return dense ? Stride{1, 8} : given; };
    const uint32_t own = static_cast<uint32_t>(size_of(v.head.dtype));
    const uint32_t other = v.head.dtype2 == Dtype::none ? own : static_cast<uint32_t>(size_of(v.head.dtype2));
    const Operand a{v.a.addr, stride(v.a_stride), other}, b{v.b.addr, stride(v.b_stride), other};
    uint8_t rows[kGroups] = {};
    if (shape.sources >= 1) add_rows(a, shape.width, rows);
    if (shape.sources >= 2 && !(a.addr == b.addr && a.stride.block == b.stride.block && a.stride.repeat == b.stride.repeat))
        add_rows(b, shape.width, rows);
    const uint32_t turns = std::max<uint32_t>(1, *std::max_element(rows, rows + kGroups));
    uint32_t factor = turns * kOne;
    uint8_t written[kGroups] = {};
    add_rows({v.dst.addr, stride(v.dst_stride), own}, shape.width, written);
    factor = std::max(factor, *std::max_element(written, written + kGroups) * kOne);
    const auto shifted = [&](const Operand& source) {
        return v.dst.addr >> 16 == source.addr >> 16 && (v.dst.addr - source.addr) % 256 != 0 && source.stride.block == 1 &&
               stride(v.dst_stride).block == 1;
    };
    if ((shape.sources >= 1 && shifted(a)) || (shape.sources >= 2 && shifted(b))) factor = std::max(factor, kShifted);
    return factor;
}

} // namespace aclimb::timing
