// SPDX-License-Identifier: Apache-2.0
// L0A and L0B unfolded into 32-bit words, once for a Mmad: a float for each float type, two int16 for two int8 or two int4.
//
//   A panel  [row][step]           B panel  [column / 16][step][column % 16]
//
// A step is one value of k, or two for the integers. An input type says how a fractal's row of 32 bytes becomes words.
#pragma once
#include "isa/cube/lanes.h"
#include "isa/cube/mmad.h"
#include "isa/move/transpose.h"

ACLIMB_LEVEL_BEGIN

struct HalfInput {
    using Lanes = ExactFloats;
    static constexpr int kWords = 16, kPerStep = 1; // words in a fractal's row, elements in a word
    static void unfold(float* to, const uint8_t* row) {
        for (size_t i = 0; i < 16; i += kGroup) widen_group(to + i, reinterpret_cast<const half*>(row) + i);
    }
};

struct Bf16Input {
    using Lanes = Floats;
    static constexpr int kWords = 16, kPerStep = 1;
    static void unfold(float* to, const uint8_t* row) {
        for (int i = 0; i < 16; ++i) to[i] = widen(reinterpret_cast<const bfloat16_t*>(row)[i]);
    }
};

struct FloatInput {
    using Lanes = Floats;
    static constexpr int kWords = 8, kPerStep = 1;
    static void unfold(float* to, const uint8_t* row) { std::memcpy(to, row, 32); }
};

// HF32 keeps 11 bits of the mantissa: 12 are dropped. Infinity and NaN stay what they are.
template <bool kToNearest> struct Hf32Input {
    using Lanes = Floats;
    static constexpr int kWords = 8, kPerStep = 1;
    static uint32_t round(uint32_t bits) {
        const uint32_t half = kToNearest ? 0x7ff + (bits >> 12 & 1) : 0;
        return (bits & 0x7f800000) == 0x7f800000 ? bits : (bits + half) & ~0xfffu;
    }
    static void unfold(float* to, const uint8_t* row) {
        for (int i = 0; i < 8; ++i) to[i] = float_of(round(reinterpret_cast<const uint32_t*>(row)[i]));
    }
};

struct Int8Input {
    using Lanes = Pairs;
    static constexpr int kWords = 16, kPerStep = 2;
    static void unfold(int32_t* to, const uint8_t* row) {
        auto* halves = reinterpret_cast<int16_t*>(to);
        for (int i = 0; i < 32; ++i) halves[i] = reinterpret_cast<const int8_t*>(row)[i];
    }
};

struct Int4Input {
    using Lanes = Pairs;
    static constexpr int kWords = 32, kPerStep = 2;
    static void unfold(int32_t* to, const uint8_t* row) { // the first of two elements is in the low bits
        auto* halves = reinterpret_cast<int16_t*>(to);
        for (int i = 0; i < 32; ++i) {
            halves[2 * i] = static_cast<int8_t>(row[i] << 4) >> 4;
            halves[2 * i + 1] = static_cast<int8_t>(row[i]) >> 4;
        }
    }
};

// out[j][i] = in[i][j] for 16 rows i of `kWords` words.
template <int kWords, class Word> inline void transpose(Word* out, const Word* in) {
#if defined(ACLIMB_LEVEL_avx512) || defined(ACLIMB_LEVEL_avx2)
    for (int row = 0; row < 16; row += 8)
        for (int column = 0; column < kWords; column += 8) {
            __m256 a[8], b[8];
            for (int i = 0; i < 8; ++i) a[i] = _mm256_loadu_ps(reinterpret_cast<const float*>(in + (row + i) * kWords + column));
            for (int i = 0; i < 8; i += 2) b[i] = _mm256_unpacklo_ps(a[i], a[i + 1]), b[i + 1] = _mm256_unpackhi_ps(a[i], a[i + 1]);
            for (int i = 0; i < 8; i += 4)
                for (int j = 0; j < 2; ++j) {
                    a[i + 2 * j] = _mm256_shuffle_ps(b[i + j], b[i + j + 2], 0x44);
                    a[i + 2 * j + 1] = _mm256_shuffle_ps(b[i + j], b[i + j + 2], 0xee);
                }
            for (int i = 0; i < 4; ++i) {
                auto* to = reinterpret_cast<float*>(out + (column + i) * 16 + row);
                _mm256_storeu_ps(to, _mm256_permute2f128_ps(a[i], a[i + 4], 0x20));
                _mm256_storeu_ps(to + 4 * 16, _mm256_permute2f128_ps(a[i], a[i + 4], 0x31));
            }
        }
#else
    for (int j = 0; j < kWords; ++j)
        for (int i = 0; i < 16; ++i) out[j * 16 + i] = in[i * kWords + j];
#endif
}

template <class Input> void unfold_a(const MmadJob& job) {
    using Word = typename Input::Lanes::Word;
    auto* panel = static_cast<Word*>(job.a_panel);
    for (uint32_t row = 0; row < job.m; ++row) {
        // In GEMV the single row is stored as it is, without fractals.
        const uint8_t* from = job.a + (job.m == 1 ? 0 : row / 16 * job.k_fractals * kFractal + row % 16 * kBlock);
        const uint32_t to_next = job.m == 1 ? kBlock : kFractal;
        Word* to = panel + row * job.a_pitch;
        for (uint32_t k = 0; k < job.k_fractals; ++k, from += to_next) Input::unfold(to + k * Input::kWords, from);
        if (Input::kPerStep == 2 && job.k % 2) reinterpret_cast<int16_t*>(to)[job.k] = 0; // the second half of the last pair is not k's
    }
}

// A fractal of B, turned so that k is its outer direction. Elements of 16 bits are turned before they are unfolded: half the work.
template <class Input, class Word> inline void turn(Word* out, const uint8_t* fractal) {
    constexpr int kWords = Input::kWords;
    if constexpr (kWords == 16 && Input::kPerStep == 1) {
        alignas(64) uint8_t turned[kFractal];
        transpose_fractal(turned, fractal);
        for (int k = 0; k < 16; ++k) Input::unfold(out + k * 16, turned + k * kBlock);
    } else {
        alignas(64) Word rows[16 * kWords];
        for (int i = 0; i < 16; ++i) Input::unfold(rows + i * kWords, fractal + i * kBlock);
        transpose<kWords>(out, rows);
    }
}

template <class Input> void unfold_b(const MmadJob& job) {
    using Word = typename Input::Lanes::Word;
    constexpr int kWords = Input::kWords;
    const uint32_t groups = ceil_div(job.n, 16);
    for (uint32_t k = 0; k < job.k_fractals; ++k)
        for (uint32_t group = 0; group < groups; ++group) {
            const uint8_t* fractal = job.b + static_cast<size_t>(k * groups + group) * kFractal;
            turn<Input>(static_cast<Word*>(job.b_panel) + (static_cast<size_t>(group) * job.k_fractals + k) * kWords * 16, fractal);
        }
}

ACLIMB_LEVEL_END
