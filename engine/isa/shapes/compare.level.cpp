// SPDX-License-Identifier: Apache-2.0
// Comparison loops: 64 lanes to 64 bytes of 0 or 1, then 8 bytes to one.
#include "isa/shapes/compare.h"

#include <cstring>

#include "isa/numeric/chunk.h"
#include "isa/shapes/elements.h"

ACLIMB_LEVEL_BEGIN

// False for every mode when either side is NaN; for NE that means two comparisons.
template <Cmpmode mode, class W> ACLIMB_NUMERIC bool holds(W a, W b) {
    if constexpr (mode == Cmpmode::LT) return a < b;
    if constexpr (mode == Cmpmode::GT) return a > b;
    if constexpr (mode == Cmpmode::EQ) return a == b;
    if constexpr (mode == Cmpmode::LE) return a <= b;
    if constexpr (mode == Cmpmode::GE) return a >= b;
    return (a < b) | (a > b);
}

ACLIMB_NUMERIC void load_lanes(float* to, const half* from, size_t n) { load_chunk(to, from, n); }
template <class T> ACLIMB_NUMERIC void load_lanes(T* to, const T* from, size_t n) {
    for (size_t i = 0; i < kChunk; i++) to[i] = i < n ? from[i] : T{};
}

// Bytes of 0 or 1: multiplying gathers their low bits in the top byte, the first byte lowest.
ACLIMB_NUMERIC uint8_t packed(const uint8_t* flags) {
    uint64_t eight;
    std::memcpy(&eight, flags, 8);
    return static_cast<uint8_t>(eight * 0x0102040810204080u >> 56);
}

template <Cmpmode mode, class T, class W, bool kScalar>
ACLIMB_NUMERIC void compare_chunk(uint8_t* to, const T* a, const T* b, W scalar, size_t n) {
    W x[kChunk], y[kChunk];
    uint8_t flags[kChunk];
    load_lanes(x, a, n);
    if constexpr (!kScalar) load_lanes(y, b, n);
    ACLIMB_LANES
    for (size_t i = 0; i < kChunk; i++) flags[i] = holds<mode, W>(x[i], kScalar ? scalar : y[i]);
    for (size_t i = n; i < kChunk; i++) flags[i] = 0;
    for (size_t i = 0; i < n; i += 8) to[i / 8] = packed(flags + i);
}

template <Cmpmode mode, class T, bool kScalar> void compare_loop(void* dst, const void* a_, const void* b_, size_t n) {
    using W = typename Element<T, false>::Wide;
    uint8_t* to = static_cast<uint8_t*>(dst);
    const T *a = static_cast<const T*>(a_), *b = static_cast<const T*>(b_);
    const W scalar = kScalar ? Element<T, false>::load(*b) : W{};
    size_t i = 0;
    for (; i + kChunk <= n; i += kChunk) compare_chunk<mode, T, W, kScalar>(to + i / 8, a + i, kScalar ? b : b + i, scalar, kChunk);
    if (i < n) compare_chunk<mode, T, W, kScalar>(to + i / 8, a + i, kScalar ? b : b + i, scalar, n - i);
}

template <Cmpmode mode, class T> constexpr void add_mode(CompareTable& table) {
    Lane* lane = table.lane[static_cast<int>(mode)][static_cast<int>(column_of(DtypeOf<T>::value))];
    lane[0] = compare_loop<mode, T, false>;
    lane[1] = compare_loop<mode, T, true>;
}
template <class T> constexpr void add_modes(CompareTable& table) {
    add_mode<Cmpmode::LT, T>(table);
    add_mode<Cmpmode::GT, T>(table);
    add_mode<Cmpmode::EQ, T>(table);
    add_mode<Cmpmode::LE, T>(table);
    add_mode<Cmpmode::GE, T>(table);
    add_mode<Cmpmode::NE, T>(table);
}
constexpr CompareTable make_compares() {
    CompareTable table{};
    add_modes<half>(table);
    add_modes<float>(table);
    add_mode<Cmpmode::EQ, int32_t>(table);
    return table;
}

const CompareTable& compare_lanes() {
    static constexpr CompareTable table = make_compares();
    return table;
}

ACLIMB_LEVEL_END
