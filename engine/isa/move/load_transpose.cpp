// SPDX-License-Identifier: Apache-2.0
// load_transpose  squares of elements from L1, transposed into L0A or L0B.          Ascend C: LoadDataWithTranspose
//
// A square is 512 bytes for each of its fractals, which lie one behind the other in L1; those of 8 and 4 bits are rows of the square
// below each other, the two of 32 bits its left and its right half. Fractal j of repeat i becomes fractal
// i * (1 + dst_gap) + j * (1 + dst_frac_gap).
#include "isa/move.h"
#include "isa/move/geometry.h"
#include "isa/move/transpose.h"

namespace aclimb {
namespace {

void require_fields(Datapath& core, const LoadTranspose& load) {
    const Memory dst = memory_of(load.dst);
    if ((dst != Memory::L0A && dst != Memory::L0B) || memory_of(load.src) != Memory::L1)
        core.fail_unsupported("LoadDataWithTranspose moves from L1 (A1, B1) to L0A or L0B (A2, B2).");
    if (size_of(load.head.dtype) > 4) core.fail_unsupported("LoadDataWithTranspose takes int4b_t and element types of 8, 16 and 32 bits.");
    if (load.head.dtype == Dtype::i4 && dst == Memory::L0A) core.fail_unsupported("LoadDataWithTranspose of int4b_t writes L0B (B2) only.");
    if (load.descending)
        core.require_range("startIndex with addrMode 1", load.start_index, (load.repeat - 1) * int64_t{load.src_stride}, 65535);
    core.require_aligned(load.dst, kFractal, 0);
    core.require_aligned(load.src, kBlock, 1);
}

template <class Word> void transpose_square(Word* to, const Word* from, uint32_t side, uint32_t row_words) {
    for (uint32_t i = 0; i < side; ++i)
        for (uint32_t j = 0; j < side; ++j) to[j * row_words + i] = from[i * row_words + j];
}

// Left and right half of 16 x 8 each, before and after.
void transpose_32(uint32_t* to, const uint32_t* from) {
    for (uint32_t i = 0; i < 16; ++i)
        for (uint32_t j = 0; j < 16; ++j) to[i / 8 * 128 + j * 8 + i % 8] = from[j / 8 * 128 + i * 8 + j % 8];
}

uint8_t nibble(const uint8_t* square, uint32_t row, uint32_t column) { // the first of two elements is in the low bits
    return square[row * kBlock + column / 2] >> column % 2 * 4 & 15;
}
void transpose_4(uint8_t* to, const uint8_t* from) {
    for (uint32_t row = 0; row < 64; ++row)
        for (uint32_t column = 0; column < 64; column += 2)
            to[row * kBlock + column / 2] = static_cast<uint8_t>(nibble(from, column, row) | nibble(from, column + 1, row) << 4);
}

void transpose(Dtype type, uint8_t* to, const uint8_t* from) {
    if (type == Dtype::i4) transpose_4(to, from);
    else if (size_of(type) == 1) transpose_square(to, from, 32, kBlock);
    else if (size_of(type) == 2) transpose_fractal(to, from);
    else transpose_32(reinterpret_cast<uint32_t*>(to), reinterpret_cast<const uint32_t*>(from));
}

} // namespace

bool execute_load_transpose(Datapath& core, Head& head) {
    const auto& load = reinterpret_cast<const LoadTranspose&>(head);
    if (load.repeat == 0) return true;
    require_fields(core, load);
    const uint32_t fractals = fractals_of_square(head.dtype);
    const Rectangle from = source_of(load), last = destination_of(load, fractals - 1);
    const uint8_t* src = core.read(load.src, from.end() - load.src.addr, 1) - load.src.addr;
    uint8_t* dst = core.write(load.dst, last.end() - load.dst.addr, 0) - load.dst.addr;
    for (uint32_t i = 0; i < load.repeat; ++i) {
        alignas(16) uint8_t square[4 * kFractal];
        transpose(head.dtype, square, src + square_address(load, i));
        for (uint32_t j = 0; j < fractals; ++j) {
            const Rectangle to = destination_of(load, j);
            std::memcpy(dst + to.begin + i * to.stride, square + j * kFractal, kFractal);
        }
    }
    return true;
}

} // namespace aclimb
