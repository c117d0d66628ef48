// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "isa/cube/mmad.h"
#include "isa/move/geometry.h"

namespace aclimb {
namespace {

constexpr uint32_t kSide = 16; // rows of a fractal

// `rows` of the 16 rows in each of `along` fractals that lie `stride` apart; all of them are `full` elements wide but the last, which
// has what is left of `width`.
void fractal_rows(Ranges& to, int operand, uint64_t begin, uint32_t rows, uint32_t width, uint32_t full, uint64_t element,
                  uint64_t stride) {
    const uint32_t whole = width / full, left = width % full;
    to.add(operand, Role::reads, begin, uint64_t{rows} * kBlock, whole, static_cast<int64_t>(stride));
    to.add(operand, Role::reads, begin + whole * stride, left * element, rows, kBlock);
}

// L0A holds fractals (m / 16, k), L0B fractals (k, n / 16): 16 rows of 32 bytes, each k0 elements of k.
void factor_ranges(const Mmad& mmad, Ranges& to) {
    const uint64_t element = size_of(mmad.head.dtype2);
    const uint32_t k0 = kBlock / static_cast<uint32_t>(element), k1 = fractals_along_k(mmad.k, k0, mmad.k_align),
                   n1 = ceil_div(mmad.n, kSide);
    if (mmad.m == 1) to.add(1, Role::reads, mmad.a.addr, mmad.k * element); // GEMV: a plain row
    else
        for (uint32_t row = 0; row < mmad.m; row += kSide)
            fractal_rows(to, 1, mmad.a.addr + uint64_t{row / kSide} * k1 * kFractal, std::min(kSide, mmad.m - row), mmad.k, k0, element,
                         kFractal);
    for (uint32_t column = 0; column < mmad.n; column += kSide)
        fractal_rows(to, 2, mmad.b.addr + uint64_t{column / kSide} * kFractal, std::min(kSide, mmad.n - column), mmad.k, k0, element,
                     uint64_t{n1} * kFractal);
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
