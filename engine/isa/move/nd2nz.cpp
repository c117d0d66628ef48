// SPDX-License-Identifier: Apache-2.0
// nd2nz  rows of a row-major matrix to fractals: column groups of 32 bytes, one below the other.   Ascend C: DataCopy (Nd2NzParams)
//
//   dst[d * dst_nd_stride + (c / C0) * dst_c0_stride * C0 + r * dst_n_stride * C0 + c % C0] = src[d * src_nd_stride + r * src_d_value + c]
//
// with C0 = 32 / sizeof(T). The end of a row is filled with zeros up to 32 bytes; rows that are not there stay untouched.
#include "isa/move.h"
#include "isa/move/geometry.h"
#include "isa/move/stream.h"

namespace aclimb {
namespace {

constexpr uint32_t kRows = 16; // of a fractal

struct Matrix {
    uint8_t* dst;
    const uint8_t* src;
    uint32_t rows, row_bytes;
    uint64_t src_row, dst_row, dst_group; // bytes from one row, or column group, to the next
};

void copy_block(uint8_t* dst, const uint8_t* src) { std::memcpy(dst, src, kBlock); }

// Two neighbouring groups at a time, because together they are one cache line of the source; 16 rows, because together they are
// one fractal of the destination. A row pitch of 4 KiB would otherwise evict each line between its two halves.
void move_rows(const Matrix& matrix, uint32_t first, uint32_t end) {
    const uint32_t groups = matrix.row_bytes / kBlock;
    uint32_t group = 0;
    for (; group + 2 <= groups; group += 2) {
        const uint8_t* src = matrix.src + first * matrix.src_row + group * kBlock;
        uint8_t* dst = matrix.dst + first * matrix.dst_row + group * matrix.dst_group;
        for (uint32_t row = first; row < end; ++row, src += matrix.src_row, dst += matrix.dst_row) {
            __builtin_prefetch(src + kRows * matrix.src_row); // the next fractal's row: too far apart for the hardware to guess
            copy_block(dst, src);
            copy_block(dst + matrix.dst_group, src + kBlock);
        }
    }
    for (; group < groups; ++group)
        for (uint32_t row = first; row < end; ++row)
            copy_block(matrix.dst + row * matrix.dst_row + group * matrix.dst_group, matrix.src + row * matrix.src_row + group * kBlock);
}

void move_row_tails(const Matrix& matrix) {
    const uint32_t groups = matrix.row_bytes / kBlock, tail = matrix.row_bytes % kBlock;
    if (tail == 0) return;
    for (uint32_t row = 0; row < matrix.rows; ++row) {
        uint8_t block[kBlock] = {};
        std::memcpy(block, matrix.src + row * matrix.src_row + groups * kBlock, tail);
        copy_block(matrix.dst + row * matrix.dst_row + groups * matrix.dst_group, block);
    }
}

void move_matrix(const Matrix& matrix) {
    for (uint32_t row = 0; row < matrix.rows; row += kRows) move_rows(matrix, row, std::min(row + kRows, matrix.rows));
    move_row_tails(matrix);
}

void require_fields(Datapath& core, const Nd2Nz& nd2nz, uint32_t element) {
    if (element > 4)
        core.fail_unsupported(
            "DataCopy with Nd2NzParams takes element types of 1, 2 and 4 bytes; copy 64-bit data as pairs of 32-bit elements.");
    core.require_range("ndNum", nd2nz.nd_num, 0, 4095);
    core.require_range("nValue", nd2nz.n_value, 0, 16384);
    core.require_range("dValue", nd2nz.d_value, 0, 65535);
    core.require_range("srcDValue", nd2nz.src_d_value, 1, 65535);
    core.require_range("dstNzC0Stride", nd2nz.dst_c0_stride, 1, 16384);
    core.require_range("dstNzNStride", nd2nz.dst_n_stride, 1, 16384);
    core.require_range("srcNdMatrixStride", static_cast<int64_t>(nd2nz.src_nd_stride), 0, INT32_MAX);
    core.require_range("dstNzMatrixStride", static_cast<int64_t>(nd2nz.dst_nd_stride), 0, INT32_MAX);
}

} // namespace

bool execute_nd2nz(Datapath& core, Head& head) {
    const auto& nd2nz = reinterpret_cast<const Nd2Nz&>(head);
    if (nd2nz.nd_num == 0 || nd2nz.n_value == 0 || nd2nz.d_value == 0) return true;
    const auto element = static_cast<uint32_t>(size_of(head.dtype));
    require_fields(core, nd2nz, element);
    core.require_aligned(nd2nz.src, alignment_of(nd2nz.src, element), 1);
    core.require_aligned(nd2nz.dst, alignment_of(nd2nz.dst, element), 0);

    Matrix matrix{};
    matrix.rows = nd2nz.n_value;
    matrix.row_bytes = nd2nz.d_value * element;
    matrix.src_row = static_cast<uint64_t>(nd2nz.src_d_value) * element;
    matrix.dst_row = static_cast<uint64_t>(nd2nz.dst_n_stride) * kBlock;
    matrix.dst_group = static_cast<uint64_t>(nd2nz.dst_c0_stride) * kBlock;
    const uint64_t src_matrix = nd2nz.src_nd_stride * element, dst_matrix = nd2nz.dst_nd_stride * element;
    if (nd2nz.nd_num > 1 && dst_matrix % kBlock)
        core.require_range("dstNzMatrixStride modulo a block of 32 bytes", dst_matrix % kBlock, 0, 0);
    const uint64_t last = nd2nz.nd_num - 1;
    matrix.src = core.read(nd2nz.src, source_of(nd2nz, last).end() - nd2nz.src.addr, 1);
    matrix.dst = core.write(nd2nz.dst, destination_of(nd2nz, last, groups_of(nd2nz) - 1).end() - nd2nz.dst.addr, 0);
    for (uint32_t i = 0; i < nd2nz.nd_num; ++i, matrix.src += src_matrix, matrix.dst += dst_matrix) move_matrix(matrix);
    return true;
}

} // namespace aclimb
