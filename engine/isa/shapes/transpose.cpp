// SPDX-License-Identifier: Apache-2.0
// Transpose of one 16 x 16 matrix of 16-bit elements, and of a batch of matrices: NCHW and NHWC are the two sides of a transposition of
// C x (H W). The chip makes the second of several TransDataTo5HD and needs the scratch for it; here only its size is looked at.
#include "isa/shapes/transpose.h"

namespace aclimb {
namespace {

template <class T> void transpose(uint8_t* to, const uint8_t* from, uint32_t rows, uint32_t columns) {
    for (uint32_t column = 0; column < columns; column++)
        for (uint32_t row = 0; row < rows; row++)
            std::memcpy(to + (uint64_t{column} * rows + row) * sizeof(T), from + (uint64_t{row} * columns + column) * sizeof(T), sizeof(T));
}

void require_apart(Datapath& core, const uint8_t* a, const uint8_t* b, uint64_t bytes) {
    if (a < b + bytes && b < a + bytes)
        core.fail_unsupported(
            "Transpose with TransposeParamsExt does not work in place: dst and src overlap. Give it a destination of its own.");
}

} // namespace

bool run_transpose(Datapath& core, Head& head) {
    const Vector& v = vector_of(head);
    require_type(core, head.op, head.dtype);
    require_ub(core, v.dst, kBlockBytes, 0);
    require_ub(core, v.a, kBlockBytes, 1);
    alignas(64) uint8_t stage[kSquareBytes];
    std::memcpy(stage, core.read(v.a, kSquareBytes, 1), kSquareBytes);
    transpose<uint16_t>(core.write(v.dst, kSquareBytes, 0), stage, 16, 16);
    return true;
}

bool run_transpose_4d(Datapath& core, Head& head) {
    const Vector& v = vector_of(head);
    require_type(core, head.op, head.dtype);
    const Transpose4d shape = transpose_4d_of(v);
    if (shape.bytes() == 0) return true;
    require_ub(core, v.dst, kBlockBytes, 0);
    require_ub(core, v.a, kBlockBytes, 1);
    core.require_range("cSize", shape.channels, 0, 4095);
    core.require_range("hSize * wSize", shape.pixels, 0, 4095);
    core.require_range("bytes of hSize * wSize modulo 32", shape.pixels * shape.element % kBlockBytes, 0, 0);
    core.require_range("bytes of sharedTmpBuffer", static_cast<int64_t>(v.b.size), static_cast<int64_t>(shape.scratch()), 192 << 10);
    const uint8_t* from = core.read(v.a, shape.bytes(), 1);
    uint8_t* to = core.write(v.dst, shape.bytes(), 0);
    require_apart(core, to, from, shape.bytes());
    const uint64_t step = uint64_t{shape.rows()} * shape.columns() * shape.element;
    for (uint32_t n = 0; n < shape.batches; n++, to += step, from += step) {
        if (shape.element == 1) transpose<uint8_t>(to, from, shape.rows(), shape.columns());
        else if (shape.element == 2) transpose<uint16_t>(to, from, shape.rows(), shape.columns());
        else transpose<uint32_t>(to, from, shape.rows(), shape.columns());
    }
    return true;
}

} // namespace aclimb
