// SPDX-License-Identifier: Apache-2.0
// mmad_sparse  C = A * B, + C when accumulating, where of every 4 rows of B two are kept.          Ascend C: MmadWithSparse
//
// A (m x k) lies in L0A, the kept rows of B (k / 2 x n) in L0B, both int8; the positions of the kept ones in the buffer that
// LoadDataWithSparse filled, two bits for each, column by column as B. Of a group of four elements of A the first kept weight takes
// element i0, the second element 1 + i1; published exception: (2, 0) takes element 2 for both.
#include "isa/cube.h"
#include "isa/cube/mmad.h"
#include "isa/move/layout.h"

namespace aclimb {
namespace {

constexpr uint32_t kK0 = 32; // int8 elements of a fractal's row

void require_sparse_fields(Datapath& core, const Mmad& mmad) {
    core.require_range("m", mmad.m, 0, 4095);
    core.require_range("n", mmad.n, 0, 4095);
    core.require_range("k", mmad.k, 0, 4095);
    core.require_range("k modulo 4", mmad.k % 4, 0, 0);
    if (mmad.k_align) core.fail_unsupported("MmadWithSparse takes no kDirectionAlign; leave it false.");
    core.require_aligned(mmad.dst, 1024, 0);
    core.require_aligned(mmad.a, kFractal, 1);
    core.require_aligned(mmad.b, kFractal, 2);
}

// Which element of its group of four the kept weight `t` meets.
uint32_t element_of(const uint8_t* positions, uint32_t t) { // positions: of one column, from its first kept weight on
    const uint32_t pair = positions[t / 4] >> t / 2 % 2 * 4, first = pair & 3, second = pair >> 2 & 3;
    if (t % 2 == 0) return first;
    return first == 2 && second == 0 ? 2 : std::min(1 + second, 3u);
}

struct Operands {
    const int8_t *a, *b;
    const uint8_t* positions;
    uint32_t k1, n1; // fractals along the k of A, along n

    int32_t product(uint32_t row, uint32_t column, uint32_t kept) const {
        int32_t sum = 0;
        for (uint32_t t = 0; t < kept; ++t) {
            const uint32_t fractal = t / kK0 * n1 + column / 16, in_row = column % 16;
            const uint8_t* here = positions + fractal * (kFractal / 4) + in_row * (kK0 / 4);
            const uint32_t k = t / 2 * 4 + element_of(here, t % kK0);
            sum += a[(row / 16 * k1 + k / kK0) * kFractal + row % 16 * kK0 + k % kK0] * b[fractal * kFractal + in_row * kK0 + t % kK0];
        }
        return sum;
    }
};

} // namespace

bool execute_mmad_sparse(Datapath& core, Head& head) {
    const auto& mmad = reinterpret_cast<const Mmad&>(head);
    if (mmad.m == 0 || mmad.n == 0 || mmad.k == 0) return true;
    if (head.dtype != Dtype::i32 || head.dtype2 != Dtype::i8) core.fail_unsupported("MmadWithSparse multiplies int8_t into int32_t.");
    require_sparse_fields(core, mmad);
    const uint32_t m1 = ceil_div(mmad.m, 16), n1 = ceil_div(mmad.n, 16), k1 = ceil_div(mmad.k, kK0), kept1 = ceil_div(mmad.k / 2, kK0);
    const Operands operands{core.read<int8_t>(mmad.a, m1 * k1 * kFractal, 1), core.read<int8_t>(mmad.b, kept1 * n1 * kFractal, 2),
                            core.memory->sparse_index + mmad.b.addr / 4, k1, n1};
    auto* c = core.write<uint32_t>(mmad.dst, static_cast<uint64_t>(m1) * n1 * 1024, 0);
    for (uint32_t column = 0; column < mmad.n; ++column)
        for (uint32_t row = 0; row < mmad.m; ++row) {
            uint32_t& to = c[(column / 16 * m1 * 16 + row) * 16 + column % 16];
            to = (mmad.init ? 0 : to) + static_cast<uint32_t>(operands.product(row, column, mmad.k / 2));
        }
    return true;
}

} // namespace aclimb
