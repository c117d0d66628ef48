// SPDX-License-Identifier: Apache-2.0
// A fractal of 16 x 16 elements of 16 bits: copied, or transposed. Static: each SIMD level that includes this has its own.
#pragma once
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace aclimb {

constexpr int kSide = 16; // of a fractal of 16-bit elements

#if defined(__SSE2__)
static inline __m128i low_lanes(__m128i a, __m128i b) { return _mm_unpacklo_epi16(a, b); }
static inline __m128i high_lanes(__m128i a, __m128i b) { return _mm_unpackhi_epi16(a, b); }

// Three rounds of interleaving rows i and i + 4 transpose 8 x 8. Unrolled, so that all of it stays in registers.
static inline void transpose_8x8(uint16_t* dst, const uint16_t* src) {
    __m128i a[8], b[8];
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) a[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(src + i * kSide));
#pragma GCC unroll 8
    for (int i = 0; i < 4; ++i) b[2 * i] = low_lanes(a[i], a[i + 4]), b[2 * i + 1] = high_lanes(a[i], a[i + 4]);
#pragma GCC unroll 8
    for (int i = 0; i < 4; ++i) a[2 * i] = low_lanes(b[i], b[i + 4]), a[2 * i + 1] = high_lanes(b[i], b[i + 4]);
#pragma GCC unroll 8
    for (int i = 0; i < 4; ++i) b[2 * i] = low_lanes(a[i], a[i + 4]), b[2 * i + 1] = high_lanes(a[i], a[i + 4]);
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) _mm_storeu_si128(reinterpret_cast<__m128i*>(dst + i * kSide), b[i]);
}
#else
static inline void transpose_8x8(uint16_t* dst, const uint16_t* src) {
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) dst[j * kSide + i] = src[i * kSide + j];
}
#endif

static inline void transpose_fractal(uint8_t* dst, const uint8_t* src) {
    auto* to = reinterpret_cast<uint16_t*>(dst);
    const auto* from = reinterpret_cast<const uint16_t*>(src);
    for (int row = 0; row < kSide; row += 8)
        for (int column = 0; column < kSide; column += 8) transpose_8x8(to + column * kSide + row, from + row * kSide + column);
}

// In pieces that become loads and stores: of 512 bytes at once g++ makes a string instruction, which takes longer to start than to copy.
static inline void copy_fractal(uint8_t* dst, const uint8_t* src) {
#pragma GCC unroll 8
    for (int i = 0; i < 512; i += 64) std::memcpy(dst + i, src + i, 64);
}

} // namespace aclimb
