// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "aclimb/op.h"
#include "isa/cube/mmad.h"
#include "isa/move/geometry.h"

namespace aclimb {
namespace {

constexpr uint32_t kSide = 16; // rows of a fractal

uint64_t bytes_of(Dtype type, uint64_t elements) { return type == Dtype::i4 ? (elements + 1) / 2 : elements * size_of(type); }

// `rows` of the 16 rows in each of `along` fractals that lie `stride` apart; all of them are k0 elements wide but the last, which has
// what is left of `width`.
void fractal_rows(Ranges& to, int operand, uint64_t begin, uint32_t rows, uint32_t width, Dtype type, uint64_t stride) {
    const uint32_t whole = width / k0_of(type), left = width % k0_of(type);
    to.add(operand, Role::reads, begin, uint64_t{rows} * kBlock, whole, static_cast<int64_t>(stride));
    to.add(operand, Role::reads, begin + whole * stride, bytes_of(type, left), rows, kBlock);
}

// L0A holds fractals (m / 16, k), L0B fractals (k, n / 16): 16 rows of 32 bytes, each k0 elements of k. The sparse B has half the rows.
void factor_ranges(const Mmad& mmad, Ranges& to) {
    const Dtype type = mmad.head.dtype2;
    const bool sparse = mmad.head.op == Op::mmad_sparse;
    const uint32_t k1 = fractals_along_k(mmad.k, k0_of(type), mmad.k_align), n1 = ceil_div(mmad.n, kSide);
    if (mmad.m == 1 && !sparse) to.add(1, Role::reads, mmad.a.addr, bytes_of(type, mmad.k)); // GEMV: a plain row
    else
        for (uint32_t row = 0; row < mmad.m; row += kSide)
            fractal_rows(to, 1, mmad.a.addr + uint64_t{row / kSide} * k1 * kFractal, std::min(kSide, mmad.m - row), mmad.k, type, kFractal);
    for (uint32_t column = 0; column < mmad.n; column += kSide)
        fractal_rows(to, 2, mmad.b.addr + uint64_t{column / kSide} * kFractal, std::min(kSide, mmad.n - column),
                     sparse ? mmad.k / 2u : mmad.k, type, uint64_t{n1} * kFractal);
}

} // namespace

void mmad_ranges(const Mmad& mmad, Ranges& to) {
    if (mmad.m == 0 || mmad.n == 0 || mmad.k == 0) return;
    const uint32_t m1 = ceil_div(mmad.m, kSide), whole = mmad.n / kSide, left = mmad.n % kSide;
    const uint64_t group = uint64_t{m1} * 1024; // L0C: (n / 16, m / 16, 16, 16) words
    const Role role = mmad.init || mmad.has_bias ? Role::writes : Role::updates;
    to.add(0, role, mmad.dst.addr, mmad.m * 64u, whole, static_cast<int64_t>(group));
    to.add(0, role, mmad.dst.addr + whole * group, left * 4u, mmad.m, 64);
    factor_ranges(mmad, to);
    if (mmad.has_bias) to.add(3, Role::reads, mmad.bias.addr, mmad.n * 4u);
}

void fixpipe_ranges(const Fixpipe& fixpipe, Ranges& to) {
    if (fixpipe.n == 0 || fixpipe.m == 0) return;
    const uint32_t whole = fixpipe.n / kSide, left = fixpipe.n % kSide;
    const Role role = fixpipe.atomic && is_global(fixpipe.dst) ? Role::updates : Role::writes;
    for (uint64_t matrix = 0; matrix < matrices_of(fixpipe); matrix++) {
        const uint64_t src = fixpipe.src.addr + matrix * fixpipe.src_nd_stride * 1024, src_group = fixpipe.src_stride * 64ull;
        to.add(1, Role::reads, src, fixpipe.m * 64ull, whole, static_cast<int64_t>(src_group));
        to.add(1, Role::reads, src + whole * src_group, left * 4u, fixpipe.m, 64);
        to.add(0, role, destination_of(fixpipe, matrix));
    }
    to.add(0, role, left_group_of(fixpipe));
    if (has_quant_tensor(fixpipe)) to.add(2, Role::reads, fixpipe.quant.addr, fixpipe.n * 8u);
}

} // namespace aclimb
