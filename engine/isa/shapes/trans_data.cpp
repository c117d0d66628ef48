// SPDX-License-Identifier: Apache-2.0
// TransDataTo5HD: element i of source block j goes to destination block i, place j. Of 32-bit elements a block has 8, so that a row of the
// result takes two blocks. A repeat reads its 16 blocks before it writes.
#include "isa/shapes/transpose.h"

namespace aclimb {
namespace {

constexpr int kBlocks = 16;
using Blocks = uint8_t[kBlocks][kBlockBytes];

template <class T> void transpose(Blocks& to, const Blocks& from) {
    constexpr bool wide = sizeof(T) == 4;
    for (size_t row = 0; row < kBlocks; row++)
        for (size_t column = 0; column < (wide ? 8 : 16); column++) {
            const size_t block = wide ? 2 * column + row / 8 : column, within = wide ? row % 8 : row;
            std::memcpy(&to[block][within * sizeof(T)], &from[row][column * sizeof(T)], sizeof(T));
        }
}

void convert(Blocks& to, const Blocks& from, size_t element) {
    if (element == 1) transpose<uint8_t>(to, from);
    else if (element == 2) transpose<uint16_t>(to, from);
    else transpose<uint32_t>(to, from);
}

// Bytes from the lowest block to the last one that is touched.
uint64_t end_of(const uint32_t (&addresses)[kBlocks], uint64_t first, uint64_t step, const TransDataShape& shape, uint32_t half) {
    uint32_t highest = 0;
    for (const uint32_t each : addresses) highest = each > highest ? each : highest;
    return highest + first + (shape.repeats - 1) * step + half + shape.length;
}

void require_blocks(Datapath& core, const Place& ub, const uint32_t (&addresses)[kBlocks], int operand) {
    for (const uint32_t each : addresses) {
        Place block = ub;
        block.addr += each;
        core.require_aligned(block, kBlockBytes, operand);
    }
}

} // namespace

bool run_trans_data(Datapath& core, Head& head) {
    const auto& record = reinterpret_cast<const TransData&>(head);
    const Vector& v = record.vector;
    require_type(core, head.op, head.dtype);
    core.require_range("repeatTimes", v.repeat, 0, kMaxRepeat);
    require_blocks(core, v.dst, record.dst, 0);
    require_blocks(core, v.a, record.src, 1);
    if (v.repeat == 0) return true;
    const TransDataShape shape = trans_data_of(record);
    const uint8_t* src = core.read(v.a, end_of(record.src, shape.src_first, shape.src_step, shape, shape.src_half), 1);
    uint8_t* dst = core.write(v.dst, end_of(record.dst, shape.dst_first, shape.dst_step, shape, shape.dst_half), 0);
    for (uint32_t r = 0; r < shape.repeats; r++) {
        Blocks from, to;
        for (int i = 0; i < kBlocks; i++)
            std::memcpy(from[i], src + record.src[i] + shape.src_first + r * shape.src_step + shape.src_half, shape.length);
        convert(to, from, size_of(head.dtype));
        for (int i = 0; i < kBlocks; i++)
            std::memcpy(dst + record.dst[i] + shape.dst_first + r * shape.dst_step + shape.dst_half, to[i], shape.length);
    }
    return true;
}

} // namespace aclimb
