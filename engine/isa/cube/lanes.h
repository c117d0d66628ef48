// SPDX-License-Identifier: Apache-2.0
// Sixteen 32-bit lanes: the width of a fractal's row of results. One definition a SIMD level; the tile is written once on top.
//
// Floats  acc + a * b with one rounding (fused) on every level. For half inputs the product is exact in float, so a separate
//         multiplication and addition give the same bits; the portable level uses that, because a fused one in software is slow.
// Pairs   acc + a.low * b.low + a.high * b.high on two int16 a lane; exact, and int32 wraps, so no order is to be kept.
//
// kRows x kGroups accumulators of 16 lanes is the tile that fits the level's registers.
#pragma once
#include <cstring>

#include "isa/numeric/group.h"

ACLIMB_LEVEL_BEGIN

constexpr uint32_t kNan = 0x7fc00000; // the one NaN a result may be

#if defined(ACLIMB_LEVEL_avx512)

struct Floats {
    using Word = float;
    static constexpr int kRows = 8, kGroups = 2;
    __m512 v;
    static Floats load(const Word* from) { return {_mm512_loadu_ps(from)}; }
    static Floats spread(const Word* from) { return {_mm512_set1_ps(*from)}; }
    void add_product(Floats a, Floats b) { v = _mm512_fmadd_ps(a.v, b.v, v); }
    void store(Word* to) const {
        const __mmask16 nan = _mm512_cmp_ps_mask(v, v, _CMP_UNORD_Q);
        _mm512_storeu_ps(to, _mm512_mask_mov_ps(v, nan, _mm512_set1_ps(float_of(kNan))));
    }
};

struct Pairs {
    using Word = int32_t;
    static constexpr int kRows = 8, kGroups = 2;
    __m512i v;
    static Pairs load(const Word* from) { return {_mm512_loadu_si512(from)}; }
    static Pairs spread(const Word* from) { return {_mm512_set1_epi32(*from)}; }
    void add_product(Pairs a, Pairs b) { v = _mm512_add_epi32(v, _mm512_madd_epi16(a.v, b.v)); }
    void store(Word* to) const { _mm512_storeu_si512(to, v); }
};

#elif defined(ACLIMB_LEVEL_avx2)

struct Floats {
    using Word = float;
    static constexpr int kRows = 6, kGroups = 1;
    __m256 low, high;
    static Floats load(const Word* from) { return {_mm256_loadu_ps(from), _mm256_loadu_ps(from + 8)}; }
    static Floats spread(const Word* from) {
        const __m256 all = _mm256_broadcast_ss(from);
        return {all, all};
    }
    void add_product(Floats a, Floats b) {
        low = _mm256_fmadd_ps(a.low, b.low, low);
        high = _mm256_fmadd_ps(a.high, b.high, high);
    }
    static __m256 clean(__m256 v) { return _mm256_blendv_ps(v, _mm256_set1_ps(float_of(kNan)), _mm256_cmp_ps(v, v, _CMP_UNORD_Q)); }
    void store(Word* to) const {
        _mm256_storeu_ps(to, clean(low));
        _mm256_storeu_ps(to + 8, clean(high));
    }
};

struct Pairs {
    using Word = int32_t;
    static constexpr int kRows = 6, kGroups = 1;
    __m256i low, high;
    static __m256i at(const Word* from) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)); }
    static Pairs load(const Word* from) { return {at(from), at(from + 8)}; }
    static Pairs spread(const Word* from) {
        const __m256i all = _mm256_set1_epi32(*from);
        return {all, all};
    }
    void add_product(Pairs a, Pairs b) {
        low = _mm256_add_epi32(low, _mm256_madd_epi16(a.low, b.low));
        high = _mm256_add_epi32(high, _mm256_madd_epi16(a.high, b.high));
    }
    void store(Word* to) const {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), low);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + 8), high);
    }
};

#elif defined(ACLIMB_LEVEL_neon)

struct Floats {
    using Word = float;
    static constexpr int kRows = 5, kGroups = 1;
    float32x4_t v[4];
    static Floats load(const Word* from) { return {{vld1q_f32(from), vld1q_f32(from + 4), vld1q_f32(from + 8), vld1q_f32(from + 12)}}; }
    static Floats spread(const Word* from) {
        const float32x4_t all = vld1q_dup_f32(from);
        return {{all, all, all, all}};
    }
    void add_product(Floats a, Floats b) {
        for (int i = 0; i < 4; ++i) v[i] = vfmaq_f32(v[i], a.v[i], b.v[i]);
    }
    void store(Word* to) const {
        for (int i = 0; i < 4; ++i) vst1q_f32(to + 4 * i, vbslq_f32(vceqq_f32(v[i], v[i]), v[i], vdupq_n_f32(float_of(kNan))));
    }
};

#else

typedef float FloatRow __attribute__((vector_size(64), aligned(4)));

struct Floats {
    using Word = float;
    static constexpr int kRows = 2, kGroups = 1;
    FloatRow v;
    static Floats load(const Word* from) {
        Floats row;
        std::memcpy(&row.v, from, sizeof row.v);
        return row;
    }
    static Floats spread(const Word* from) { return {*from - FloatRow{}}; }
    void add_product(Floats a, Floats b) {
        for (int i = 0; i < 16; ++i) v[i] = __builtin_fmaf(a.v[i], b.v[i], v[i]);
    }
    void store(Word* to) const {
        for (int i = 0; i < 16; ++i) to[i] = canonical(v[i]);
    }
};

#endif

#if defined(ACLIMB_LEVEL_avx512) || defined(ACLIMB_LEVEL_avx2) || defined(ACLIMB_LEVEL_neon)
using ExactFloats = Floats;
#else
struct ExactFloats : Floats { // the product of two halves needs no rounding
    static ExactFloats load(const Word* from) { return {Floats::load(from)}; }
    static ExactFloats spread(const Word* from) { return {Floats::spread(from)}; }
    void add_product(ExactFloats a, ExactFloats b) { v = v + a.v * b.v; }
};
#endif

#if !defined(ACLIMB_LEVEL_avx512) && !defined(ACLIMB_LEVEL_avx2)
struct Pairs {
    using Word = int32_t;
    static constexpr int kRows = 2, kGroups = 1;
    int32_t v[16];
    static Pairs load(const Word* from) {
        Pairs row;
        std::memcpy(row.v, from, sizeof row.v);
        return row;
    }
    static Pairs spread(const Word* from) {
        Pairs row;
        for (int32_t& each : row.v) each = *from;
        return row;
    }
    void add_product(const Pairs& a, const Pairs& b) {
        for (int i = 0; i < 16; ++i) {
            const int32_t x = a.v[i], y = b.v[i];
            v[i] += static_cast<int16_t>(x) * static_cast<int16_t>(y) + (x >> 16) * (y >> 16);
        }
    }
    void store(Word* to) const { std::memcpy(to, v, sizeof v); }
};
#endif

ACLIMB_LEVEL_END
