// SPDX-License-Identifier: Apache-2.0
// half <-> float for a group of lanes: the one place where vector arithmetic needs intrinsics. Only for *.level.cpp files.
// NaN payloads differ between these and the software path; results are made canonical before they are narrowed.
#pragma once
#include <cstddef>

#include "isa/numeric/half.h"
#include "isa/simd.h"

#if defined(ACLIMB_LEVEL_avx2) || defined(ACLIMB_LEVEL_avx512)
#include <immintrin.h>
#elif defined(ACLIMB_LEVEL_neon)
#include <arm_neon.h>
#endif

ACLIMB_LEVEL_BEGIN

#if defined(ACLIMB_LEVEL_avx512)

constexpr size_t kGroup = 16;
constexpr __mmask16 kAllLanes = 0xffff; // masked forms: the plain ones make g++ 12 warn inside its own header
ACLIMB_NUMERIC void widen_group(float* out, const half* in) {
    _mm512_storeu_ps(out, _mm512_maskz_cvtph_ps(kAllLanes, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(in))));
}
ACLIMB_NUMERIC void narrow_group(half* out, const float* in) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out),
                        _mm512_maskz_cvtps_ph(kAllLanes, _mm512_loadu_ps(in), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}
ACLIMB_NUMERIC void widen_some(float* out, const half* in, size_t n) {
    _mm512_storeu_ps(out, _mm512_maskz_cvtph_ps(kAllLanes, _mm256_maskz_loadu_epi16(static_cast<__mmask16>((1u << n) - 1), in)));
}
ACLIMB_NUMERIC void narrow_some(half* out, const float* in, size_t n) {
    const __m256i bits = _mm512_maskz_cvtps_ph(kAllLanes, _mm512_loadu_ps(in), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    _mm256_mask_storeu_epi16(out, static_cast<__mmask16>((1u << n) - 1), bits);
}

#else

#if defined(ACLIMB_LEVEL_avx2)
constexpr size_t kGroup = 8;
ACLIMB_NUMERIC void widen_group(float* out, const half* in) {
    _mm256_storeu_ps(out, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(in))));
}
ACLIMB_NUMERIC void narrow_group(half* out, const float* in) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm256_cvtps_ph(_mm256_loadu_ps(in), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}
#elif defined(ACLIMB_LEVEL_neon)
constexpr size_t kGroup = 8;
ACLIMB_NUMERIC void widen_group(float* out, const half* in) {
    const uint16x8_t bits = vld1q_u16(reinterpret_cast<const uint16_t*>(in));
    vst1q_f32(out, vcvt_f32_f16(vreinterpret_f16_u16(vget_low_u16(bits))));
    vst1q_f32(out + 4, vcvt_f32_f16(vreinterpret_f16_u16(vget_high_u16(bits))));
}
ACLIMB_NUMERIC void narrow_group(half* out, const float* in) {
    uint16_t* to = reinterpret_cast<uint16_t*>(out);
    vst1_u16(to, vreinterpret_u16_f16(vcvt_f16_f32(vld1q_f32(in))));
    vst1_u16(to + 4, vreinterpret_u16_f16(vcvt_f16_f32(vld1q_f32(in + 4))));
}
#else
constexpr size_t kGroup = 8;
ACLIMB_NUMERIC void widen_group(float* out, const half* in) {
    for (size_t i = 0; i < kGroup; i++) out[i] = widen(in[i]);
}
ACLIMB_NUMERIC void narrow_group(half* out, const float* in) {
    for (size_t i = 0; i < kGroup; i++) out[i] = narrow_half(in[i]);
}
#endif

// The last lanes of a run, fewer than a group. Lanes beyond n get 0: they are computed and thrown away.
ACLIMB_NUMERIC void widen_some(float* out, const half* in, size_t n) {
    half lanes[kGroup] = {};
    for (size_t i = 0; i < n; i++) lanes[i] = in[i];
    widen_group(out, lanes);
}
ACLIMB_NUMERIC void narrow_some(half* out, const float* in, size_t n) {
    half lanes[kGroup];
    narrow_group(lanes, in);
    for (size_t i = 0; i < n; i++) out[i] = lanes[i];
}

#endif

// float lanes take the same road, so that one loop serves both.
ACLIMB_NUMERIC void widen_group(float* out, const float* in) {
    for (size_t i = 0; i < kGroup; i++) out[i] = in[i];
}
ACLIMB_NUMERIC void narrow_group(float* out, const float* in) { widen_group(out, in); }
ACLIMB_NUMERIC void widen_some(float* out, const float* in, size_t n) {
    for (size_t i = 0; i < kGroup; i++) out[i] = i < n ? in[i] : 0.0f;
}
ACLIMB_NUMERIC void narrow_some(float* out, const float* in, size_t n) {
    for (size_t i = 0; i < n; i++) out[i] = in[i];
}

ACLIMB_LEVEL_END
