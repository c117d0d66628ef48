// SPDX-License-Identifier: Apache-2.0
// C = A * B (+ C or bias) over unfolded panels, tile by tile. Every element of C adds its products in the order of k, one fused
// rounding each, starting from C, the bias or zero; that order is ours (the hardware's is not published) and equal on every level.
#include "isa/cube/mmad.h"
#include "isa/cube/panels.h"

ACLIMB_LEVEL_BEGIN

namespace {

template <class Word> struct Panels {
    const Word *a, *b;
    size_t a_pitch, b_group; // words to the next row of A, to the next column group of B
    uint32_t steps;
};

// Where a tile starts from: C itself, the bias row or a row of zeros.
template <class Word> struct Start {
    const Word* at;
    size_t row, group; // words to the next row and column group
};

template <class Lanes, int kRows, int kGroups, class Word>
inline void tile(Word* c, size_t c_group, const Start<Word>& start, const Panels<Word>& panels, const Word* a, const Word* b) {
    // The pragmas let the compiler keep `sum` in registers: it must see every index as a constant early.
    Lanes sum[kRows][kGroups], row[kGroups];
    const size_t a_pitch = panels.a_pitch, b_group = panels.b_group, steps = panels.steps;
#pragma GCC unroll 8
    for (int i = 0; i < kRows; ++i)
#pragma GCC unroll 2
        for (int j = 0; j < kGroups; ++j) sum[i][j] = Lanes::load(start.at + i * start.row + j * start.group);
    for (size_t step = 0; step < steps; ++step) {
#pragma GCC unroll 2
        for (int j = 0; j < kGroups; ++j) row[j] = Lanes::load(b + j * b_group + step * 16);
#pragma GCC unroll 8
        for (int i = 0; i < kRows; ++i) {
            const Lanes each = Lanes::spread(a + i * a_pitch + step);
#pragma GCC unroll 2
            for (int j = 0; j < kGroups; ++j) sum[i][j].add_product(each, row[j]);
        }
    }
#pragma GCC unroll 8
    for (int i = 0; i < kRows; ++i)
#pragma GCC unroll 2
        for (int j = 0; j < kGroups; ++j) sum[i][j].store(c + i * 16 + j * c_group);
}

// The last rows, when m is not a multiple of the tile.
template <class Lanes, int kRows, int kGroups, class Word> inline void
tile_of_height(uint32_t rows, Word* c, size_t c_group, const Start<Word>& start, const Panels<Word>& panels, const Word* a, const Word* b) {
    if constexpr (kRows > 1)
        if (rows < kRows) return tile_of_height<Lanes, kRows - 1, kGroups>(rows, c, c_group, start, panels, a, b);
    tile<Lanes, kRows, kGroups>(c, c_group, start, panels, a, b);
}

// Rows of the next tile when `left` remain. A last tile of one or two rows would wait for its own sums, so the last two share.
template <class Lanes> uint32_t height_of_next(uint32_t left) {
    if (left >= 2 * Lanes::kRows) return Lanes::kRows;
    return left > Lanes::kRows ? (left + 1) / 2 : left;
}

// Columns beyond n are not written: the tile goes through a copy.
template <class Lanes, class Word> void tile_of_width(uint32_t rows, uint32_t columns, Word* c, const Start<Word>& start,
                                                      const Panels<Word>& panels, const Word* a, const Word* b) {
    alignas(64) Word copy[Lanes::kRows * 16];
    tile_of_height<Lanes, Lanes::kRows, 1>(rows, copy, 0, start, panels, a, b);
    for (uint32_t i = 0; i < rows; ++i) std::memcpy(c + i * 16, copy + i * 16, columns * sizeof(Word));
}

template <class Word> Start<Word> start_of(const MmadJob& job, const Word* c, size_t c_group) {
    alignas(64) static constexpr Word zeros[32] = {};
    if (job.accumulates) return {c, 16, c_group};
    return job.bias ? Start<Word>{static_cast<const Word*>(job.bias), 0, 16} : Start<Word>{zeros, 0, 16};
}

// One column group, or kGroups of them, from the first row to the last. B's panel of the group stays in the first-level cache.
template <class Lanes, int kGroups, class Word> void columns(const MmadJob& job, uint32_t group, const Panels<Word>& panels) {
    const size_t c_group = ceil_div(job.m, 16) * 256;
    Word* c = static_cast<Word*>(job.c) + group * c_group;
    const Word* b = panels.b + group * panels.b_group;
    Start<Word> start = start_of<Word>(job, c, c_group);
    if (!job.accumulates && job.bias) start.at += group * 16;
    const uint32_t width = job.n - group * 16;
    for (uint32_t row = 0, rows; row < job.m; row += rows) {
        rows = height_of_next<Lanes>(job.m - row);
        const Word* a = panels.a + row * panels.a_pitch;
        const Start<Word> here{start.at + row * start.row, start.row, start.group};
        if (width < 16) tile_of_width<Lanes>(rows, width, c + row * 16, here, panels, a, b);
        else tile_of_height<Lanes, Lanes::kRows, kGroups>(rows, c + row * 16, c_group, here, panels, a, b);
    }
}

template <class Input> void mmad(const MmadJob& job) {
    using Lanes = typename Input::Lanes;
    using Word = typename Lanes::Word;
    unfold_a<Input>(job);
    unfold_b<Input>(job);
    const Panels<Word> panels{static_cast<const Word*>(job.a_panel), static_cast<const Word*>(job.b_panel), job.a_pitch,
                              static_cast<size_t>(job.k_fractals) * Input::kWords * 16, ceil_div(job.k, Input::kPerStep)};
    uint32_t group = 0;
    if constexpr (Lanes::kGroups > 1)
        for (; (group + Lanes::kGroups) * 16 <= job.n; group += Lanes::kGroups) columns<Lanes, Lanes::kGroups>(job, group, panels);
    for (; group * 16 < job.n; ++group) columns<Lanes, 1>(job, group, panels);
}

} // namespace

const MmadBodies& mmad_bodies() {
    static const MmadBodies bodies{mmad<HalfInput>,        mmad<Bf16Input>, mmad<FloatInput>, mmad<Hf32Input<true>>,
                                   mmad<Hf32Input<false>>, mmad<Int8Input>, mmad<Int4Input>};
    return bodies;
}

ACLIMB_LEVEL_END
