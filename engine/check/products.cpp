// SPDX-License-Identifier: Apache-2.0
// How a lack of value travels through a product. A row of A that nobody wrote is a row of C without a value, a column of B a column: who
// rounds m or n up to whole fractals computes such, and reads them nowhere. So they are told where Fixpipe takes them out of L0C. A factor
// without a single row that holds values was forgotten, and is told at the product itself.
#include "aclimb/op.h"
#include "check/validity.h"
#include "isa/cube/mmad.h"

namespace aclimb::check {
namespace {

constexpr uint32_t kSide = 16;
constexpr uint64_t kRowBytes = 32, kFractalBytes = 512;

uint64_t bytes_of(Dtype type, uint32_t count) { return type == Dtype::i4 ? (count + 1) / 2 : uint64_t{count} * size_of(type); }

// The pieces of one row of A, or of one column of B: one in each fractal along k.
struct Line {
    uint64_t begin, step;
    Dtype type;
    uint32_t k;

    template <class Seen> void each(Seen seen) const {
        const uint32_t k0 = k0_of(type);
        for (uint32_t from = 0; from < k; from += k0) seen(begin + from / k0 * step, bytes_of(type, std::min(k0, k - from)));
    }
};

Line row_of_a(const Mmad& mmad, uint32_t i) {
    const Dtype type = mmad.head.dtype2;
    const uint32_t k1 = fractals_along_k(mmad.k, k0_of(type), mmad.k_align);
    if (mmad.m == 1 && mmad.head.op == Op::mmad) return {mmad.a.addr, kRowBytes, type, mmad.k}; // a plain row
    return {mmad.a.addr + uint64_t{i / kSide} * k1 * kFractalBytes + i % kSide * kRowBytes, kFractalBytes, type, mmad.k};
}

Line column_of_b(const Mmad& mmad, uint32_t j) {
    const uint64_t n1 = (mmad.n + kSide - 1) / kSide;
    return {mmad.b.addr + j / kSide * kFractalBytes + j % kSide * kRowBytes, n1 * kFractalBytes, mmad.head.dtype2,
            mmad.head.op == Op::mmad_sparse ? mmad.k / 2u : uint32_t{mmad.k}};
}

uint64_t at_of_c(const Mmad& mmad, uint32_t i, uint32_t j) {
    const uint64_t m1 = (mmad.m + kSide - 1) / kSide;
    return mmad.dst.addr + (j / kSide * m1 + i / kSide) * 1024 + i % kSide * 64 + j % kSide * 4;
}

} // namespace

template <class Line> bool Validity::has_line(const Room& from, const Line& line) {
    bool all = true;
    line.each([&](uint64_t begin, uint64_t length) { all &= has_all(from, begin, length); });
    return all;
}

bool Validity::is_rounded_up(const Mmad& mmad, int operand) {
    if (operand > 2) return false;
    const auto has = [&](uint32_t i) {
        return operand == 0   ? room(Memory::L0C).has(at_of_c(mmad, i, 0))
               : operand == 1 ? has_line(room(Memory::L0A), row_of_a(mmad, i))
                              : has_line(room(Memory::L0B), column_of_b(mmad, i));
    };
    for (uint32_t i = 0; i < (operand == 2 ? mmad.n : mmad.m); i++)
        if (has(i)) return true;
    return false;
}

void Validity::multiply(const Mmad& mmad, uint32_t origin) {
    const bool adds = !mmad.init && !mmad.has_bias;
    Room& c = room(Memory::L0C);
    std::vector<bool> rows(mmad.m);
    for (uint32_t i = 0; i < mmad.m; i++) rows[i] = has_line(room(Memory::L0A), row_of_a(mmad, i));
    for (uint32_t j = 0; j < mmad.n; j++) {
        const bool column = has_line(room(Memory::L0B), column_of_b(mmad, j));
        for (uint32_t i = 0; i < mmad.m; i++) {
            const uint64_t at = at_of_c(mmad, i, j);
            put(c, at, 4, rows[i] && column && (!adds || has_all(c, at, 4)), origin);
        }
    }
}

} // namespace aclimb::check
