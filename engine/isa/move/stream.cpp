// SPDX-License-Identifier: Apache-2.0
#include "isa/move/stream.h"

#include <cstring>

#include "isa/move.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace aclimb {

#if defined(__x86_64__)

// SSE2 is part of x86-64, and a write-combining buffer fills as fast from four stores of 16 bytes as from one of 64.
void stream_copy(uint8_t* dst, const uint8_t* src, size_t bytes) {
    for (size_t at = 0; at < bytes; at += 64) {
        const auto* from = reinterpret_cast<const __m128i*>(src + at);
        auto* to = reinterpret_cast<__m128i*>(dst + at);
        const __m128i a = _mm_loadu_si128(from), b = _mm_loadu_si128(from + 1);
        const __m128i c = _mm_loadu_si128(from + 2), d = _mm_loadu_si128(from + 3);
        _mm_stream_si128(to, a);
        _mm_stream_si128(to + 1, b);
        _mm_stream_si128(to + 2, c);
        _mm_stream_si128(to + 3, d);
    }
}

void prefetch(const uint8_t* from, size_t bytes) {
    for (size_t at = 0; at < bytes; at += 64) _mm_prefetch(reinterpret_cast<const char*>(from + at), _MM_HINT_T1);
}

void flush_stores() { _mm_sfence(); }

#else

void stream_copy(uint8_t* dst, const uint8_t* src, size_t bytes) { std::memcpy(dst, src, bytes); }
void prefetch(const uint8_t* from, size_t bytes) {
    for (size_t at = 0; at < bytes; at += 64) __builtin_prefetch(from + at, 0, 2);
}
void flush_stores() {} // plain stores only

#endif

} // namespace aclimb
