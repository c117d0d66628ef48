// SPDX-License-Identifier: Apache-2.0
// How an element type is computed with: widened, finished, narrowed once. Only for *.level.cpp files; knows no instruction.
#pragma once
#include <cstdint>

#include "isa/numeric/group.h"

#if defined(__clang__)
#define ACLIMB_LANES _Pragma("clang loop vectorize(assume_safety)")
#else
#define ACLIMB_LANES _Pragma("GCC ivdep")
#endif

ACLIMB_LEVEL_BEGIN

template <class T, bool kSaturate> struct Element;

template <bool kSaturate> struct Element<float, kSaturate> { // float never saturates
    using Storage = float;
    using Wide = float;
    static constexpr bool grouped = false;
    ACLIMB_NUMERIC float finish(float value) { return canonical(value); }
    ACLIMB_NUMERIC float load(float value) { return value; }
    ACLIMB_NUMERIC float store(float value) { return finish(value); }
};

template <bool kSaturate> struct Element<half, kSaturate> {
    using Storage = half;
    using Wide = float;
    static constexpr bool grouped = true; // converted a group at a time
    ACLIMB_NUMERIC float finish(float value) {
        if constexpr (kSaturate) return saturated(value, kHalfMax);
        return canonical(value);
    }
    ACLIMB_NUMERIC float load(half value) { return widen(value); }
};

template <class T, class W, bool kClamp> struct Integer {
    using Storage = T;
    using Wide = W;
    static constexpr bool grouped = false;
    ACLIMB_NUMERIC W load(T value) { return value; }
    ACLIMB_NUMERIC T store(W value) {
        if constexpr (kClamp) {
            constexpr W lowest = static_cast<W>(-1) << (8 * sizeof(T) - 1), highest = ~lowest;
            value = value < lowest ? lowest : value;
            value = value > highest ? highest : value;
        }
        return static_cast<T>(value);
    }
};
template <bool kSaturate> struct Element<int16_t, kSaturate> : Integer<int16_t, int32_t, kSaturate> {};
template <> struct Element<int32_t, false> : Integer<int32_t, int32_t, false> {};
template <> struct Element<int32_t, true> : Integer<int32_t, int64_t, true> {};
template <bool kSaturate> struct Element<wrapping<int16_t>, kSaturate> : Integer<int16_t, int32_t, false> {};
template <bool kSaturate> struct Element<wrapping<uint16_t>, kSaturate> : Integer<uint16_t, uint32_t, false> {};
template <bool kSaturate> struct Element<wrapping<int32_t>, kSaturate> : Integer<int32_t, int32_t, false> {};
template <bool kSaturate> struct Element<wrapping<uint32_t>, kSaturate> : Integer<uint32_t, uint32_t, false> {};

ACLIMB_LEVEL_END
