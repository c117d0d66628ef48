// SPDX-License-Identifier: Apache-2.0
// Arithmetic in the type of the sources, rounded there as the call without Cast would round; then the conversion, to nearest even, clamped.
#include "isa/shapes/binary_cast.h"

#include <limits>

#include "isa/numeric/chunk.h"
#include "isa/shapes/elements.h"

ACLIMB_LEVEL_BEGIN

template <BinaryCast kind> ACLIMB_NUMERIC float applied(float a, float b) {
    if constexpr (kind == BinaryCast::mul) return a * b;
    const float sum = kind == BinaryCast::add_relu ? a + b : a - b;
    return sum != sum ? sum : (sum > 0 ? sum : 0.0f);
}

// As narrowed to the type of the sources and read again.
template <bool kSaturate> ACLIMB_NUMERIC void settle(half*, float* x) {
    half narrow[kChunk];
    for (size_t i = 0; i < kChunk; i++) x[i] = Element<half, kSaturate>::finish(x[i]);
    store_chunk(narrow, x, kChunk);
    load_chunk(x, narrow, kChunk);
}
template <bool kSaturate> ACLIMB_NUMERIC void settle(float*, float* x) {
    for (size_t i = 0; i < kChunk; i++) x[i] = canonical(x[i]);
}
template <bool kSaturate> ACLIMB_NUMERIC void settle(int16_t*, float* x) {
    for (size_t i = 0; i < kChunk; i++) x[i] = static_cast<float>(Element<int16_t, kSaturate>::store(static_cast<int32_t>(x[i])));
}

template <class T, bool kSaturate> ACLIMB_NUMERIC void store_as(T* to, float* x, size_t n) {
    for (size_t i = 0; i < n; i++) {
        constexpr float lowest = std::numeric_limits<T>::min(), highest = std::numeric_limits<T>::max();
        const float whole = __builtin_nearbyintf(x[i]);
        to[i] = static_cast<T>(static_cast<int32_t>(whole != whole ? 0.0f : whole < lowest ? lowest : whole > highest ? highest : whole));
    }
}
template <class T, bool kSaturate>
    requires std::is_same_v<T, half>
ACLIMB_NUMERIC void store_as(half* to, float* x, size_t n) {
    for (size_t i = 0; i < kChunk; i++) x[i] = Element<half, kSaturate>::finish(x[i]);
    store_chunk(to, x, n);
}

template <BinaryCast kind, class D, class S, bool kSaturate> static void loop(void* dst, const void* a_, const void* b_, size_t n) {
    D* to = static_cast<D*>(dst);
    const S *a = static_cast<const S*>(a_), *b = static_cast<const S*>(b_);
    for (size_t at = 0; at < n; at += kChunk) {
        const size_t some = n - at < kChunk ? n - at : kChunk;
        float x[kChunk], y[kChunk];
        load_chunk(x, a + at, some);
        load_chunk(y, b + at, some);
        for (size_t i = 0; i < kChunk; i++) x[i] = applied<kind>(x[i], y[i]);
        settle<kSaturate>(static_cast<S*>(nullptr), x);
        store_as<D, kSaturate>(to + at, x, some);
    }
}

template <BinaryCast kind, class D, class S> static constexpr void add(BinaryCastTable& table) {
    Lane(&lanes)[2] = table.lane[static_cast<int>(kind)][static_cast<int>(DtypeOf<D>::value)][static_cast<int>(DtypeOf<S>::value)];
    lanes[0] = loop<kind, D, S, false>;
    lanes[1] = loop<kind, D, S, true>;
}

template <BinaryCast kind> static constexpr void add_relus(BinaryCastTable& table) {
    add<kind, int8_t, half>(table);
    add<kind, int8_t, int16_t>(table);
    add<kind, half, float>(table);
}

static constexpr BinaryCastTable make_lanes() {
    BinaryCastTable table{};
    add<BinaryCast::mul, int8_t, half>(table);
    add<BinaryCast::mul, uint8_t, half>(table);
    add_relus<BinaryCast::add_relu>(table);
    add_relus<BinaryCast::sub_relu>(table);
    return table;
}

const BinaryCastTable& binary_cast_lanes() {
    static constexpr BinaryCastTable table = make_lanes();
    return table;
}

ACLIMB_LEVEL_END
