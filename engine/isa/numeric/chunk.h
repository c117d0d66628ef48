// SPDX-License-Identifier: Apache-2.0
// Lanes of any type in a small float buffer and back, for instructions that convert before or after a common step.
// Only for *.level.cpp files.
#pragma once
#include "isa/numeric/group.h"

ACLIMB_LEVEL_BEGIN

constexpr size_t kChunk = 64; // a multiple of kGroup

// Lanes from n on read as 0 and are computed with; what is stored ends at n.
ACLIMB_NUMERIC void load_chunk(float* to, const half* from, size_t n) {
    size_t i = 0;
    for (; i + kGroup <= n; i += kGroup) widen_group(to + i, from + i);
    if (i < n) {
        widen_some(to + i, from + i, n - i);
        i += kGroup;
    }
    for (; i < kChunk; i++) to[i] = 0;
}
ACLIMB_NUMERIC void load_chunk(float* to, const bfloat16_t* from, size_t n) {
    for (size_t i = 0; i < n; i++) to[i] = widen(from[i]);
    for (size_t i = n; i < kChunk; i++) to[i] = 0;
}
ACLIMB_NUMERIC void load_chunk(float* to, const int4x2_t* from, size_t n) {
    for (size_t i = 0; i < kChunk; i++)
        to[i] = i < n ? static_cast<float>(static_cast<int8_t>(from[i / 2].bits << (i % 2 ? 0 : 4)) >> 4) : 0;
}
template <class T> ACLIMB_NUMERIC void load_chunk(float* to, const T* from, size_t n) {
    for (size_t i = 0; i < n; i++) to[i] = static_cast<float>(from[i]);
    for (size_t i = n; i < kChunk; i++) to[i] = 0;
}

ACLIMB_NUMERIC void store_chunk(half* to, const float* from, size_t n) { // to nearest even; NaN already canonical
    size_t i = 0;
    for (; i + kGroup <= n; i += kGroup) narrow_group(to + i, from + i);
    if (i < n) narrow_some(to + i, from + i, n - i);
}
ACLIMB_NUMERIC void store_chunk(float* to, const float* from, size_t n) {
    for (size_t i = 0; i < n; i++) to[i] = from[i];
}

ACLIMB_LEVEL_END
