// SPDX-License-Identifier: Apache-2.0
// Conversion loops: 64 lanes at a time into floats, rounded, and stored in the target type.
#include "isa/shapes/cast.h"

#include <cmath>
#include <limits>

#include "isa/numeric/chunk.h"
#include "isa/numeric/rounding.h"
#include "isa/shapes/elements.h"
#include "isa/shapes/lists.h"

ACLIMB_LEVEL_BEGIN

// The list of this one instruction: no other changes these loops, which take longest to compile.
#define CAST_PAIRS(name, ...) using Pairs = Types<__VA_ARGS__>;
#include "isa/vector/vconv.h"
#undef CAST_PAIRS

// Calls f<mode>() for the run-time mode; none rounds to nearest even where it rounds at all.
template <class F> ACLIMB_NUMERIC void with_mode(uint8_t mode, F f) {
    switch (static_cast<RoundMode>(mode)) {
    case RoundMode::floor: return f.template operator()<RoundMode::floor>();
    case RoundMode::ceil: return f.template operator()<RoundMode::ceil>();
    case RoundMode::round: return f.template operator()<RoundMode::round>();
    case RoundMode::trunc: return f.template operator()<RoundMode::trunc>();
    case RoundMode::odd: return f.template operator()<RoundMode::odd>();
    default: return f.template operator()<RoundMode::rint>();
    }
}

static void make_integral(float* x, uint8_t mode) {
    with_mode(mode, [x]<RoundMode m>() {
        ACLIMB_LANES
        for (size_t i = 0; i < kChunk; i++) x[i] = integral<m>(x[i]);
    });
}

// x is integral. Clamping: the limits of T; cutting: the low bits, 0 for what has none.
template <class T> ACLIMB_NUMERIC T clamped(float x) {
    using Limits = std::numeric_limits<T>;
    constexpr float lowest = static_cast<float>(Limits::min());
    constexpr float beyond = static_cast<float>(Limits::max() / 2 + 1) * 2; // the first value above the range
    using Through = std::conditional_t<sizeof(T) == 8, int64_t, int32_t>;
    const T inside = static_cast<T>(static_cast<Through>(x));
    return x >= beyond ? Limits::max() : x < lowest ? Limits::min() : x != x ? T{0} : inside;
}
template <class T> ACLIMB_NUMERIC T cut(float x) {
    const bool has_low_bits = x > -0x1p63f && x < 0x1p63f;
    return static_cast<T>(has_low_bits ? static_cast<int64_t>(x) : 0);
}

template <class T> ACLIMB_NUMERIC void store_integers(T* to, const float* x, size_t n, bool truncates) {
    if (truncates)
        for (size_t i = 0; i < n; i++) to[i] = cut<T>(x[i]);
    else
        for (size_t i = 0; i < n; i++) to[i] = clamped<T>(x[i]);
}
ACLIMB_NUMERIC void store_integers(int4x2_t* to, const float* x, size_t n, bool truncates) {
    for (size_t i = 0; i < n; i += 2) {
        uint8_t nibble[2];
        for (size_t j = 0; j < 2; j++) {
            const float value = std::isnan(x[i + j]) ? 0.0f : x[i + j];
            const int whole = truncates ? static_cast<int>(cut<int32_t>(value)) : value > 7 ? 7 : value < -8 ? -8 : static_cast<int>(value);
            nibble[j] = static_cast<uint8_t>(whole & 15);
        }
        to[i / 2].bits = static_cast<uint8_t>(nibble[0] | nibble[1] << 4);
    }
}

ACLIMB_NUMERIC void store_rounded(half* to, float* x, size_t n, const CastOptions& options) {
    if (options.mode <= static_cast<uint8_t>(RoundMode::rint)) {
        if (options.saturate)
            for (size_t i = 0; i < kChunk; i++) x[i] = saturated(x[i], kHalfMax);
        else
            for (size_t i = 0; i < kChunk; i++) x[i] = canonical(x[i]);
        return store_chunk(to, x, n);
    }
    with_mode(options.mode, [=]<RoundMode m>() {
        for (size_t i = 0; i < n; i++) to[i].bits = rounded_half<m>(x[i], options.saturate);
    });
}
ACLIMB_NUMERIC void store_rounded(bfloat16_t* to, float* x, size_t n, const CastOptions& options) {
    if (options.mode <= static_cast<uint8_t>(RoundMode::rint) && !options.saturate) { // what kernels do most
        ACLIMB_LANES
        for (size_t i = 0; i < n; i++) to[i] = narrow_bfloat16(x[i]);
        return;
    }
    with_mode(options.mode, [=, saturate = options.saturate]<RoundMode m>() {
        ACLIMB_LANES
        for (size_t i = 0; i < n; i++) to[i].bits = rounded_bfloat16<m>(x[i], saturate);
    });
}

ACLIMB_NUMERIC void store_scaled(half* to, const int32_t* from, size_t n, const CastOptions& options) {
    const double scale = widen(half{options.scale});
    float x[kChunk] = {};
    for (size_t i = 0; i < n; i++) x[i] = odd_float(static_cast<double>(from[i]) * scale);
    store_rounded(to, x, n, {static_cast<uint8_t>(RoundMode::rint), options.saturate, false, 0});
}

template <class T> ACLIMB_NUMERIC void store_wide(float* to, const T* from, size_t n, uint8_t mode) {
    if (mode <= static_cast<uint8_t>(RoundMode::rint)) {
        for (size_t i = 0; i < n; i++) to[i] = static_cast<float>(from[i]);
        return;
    }
    with_mode(mode, [=]<RoundMode m>() {
        for (size_t i = 0; i < n; i++) to[i] = rounded_float<m>(from[i]);
    });
}

template <class D, class S> ACLIMB_NUMERIC void store_integers_of(D* to, const S* from, size_t n, bool truncates) {
    constexpr S lowest = static_cast<S>(-1) << (8 * sizeof(D) - 1), highest = ~lowest;
    for (size_t i = 0; i < n; i++) {
        const S clamped = from[i] < lowest ? lowest : from[i] > highest ? highest : from[i];
        to[i] = static_cast<D>(truncates ? from[i] : clamped);
    }
}

template <class T> constexpr bool is_integer = std::is_integral_v<T> || std::is_same_v<T, int4x2_t>;
template <class T> constexpr bool is_wide_integer = std::is_integral_v<T> && sizeof(T) > 2;

template <class D, class S> ACLIMB_NUMERIC void convert(D* to, const S* from, size_t n, const CastOptions& options) {
    if constexpr (std::is_same_v<D, half> && std::is_same_v<S, int32_t>) store_scaled(to, from, n, options);
    else if constexpr (std::is_same_v<D, int64_t> && std::is_integral_v<S>)
        for (size_t i = 0; i < n; i++) to[i] = from[i];
    else if constexpr (std::is_integral_v<D> && is_wide_integer<S>) store_integers_of(to, from, n, options.truncates);
    else if constexpr (std::is_same_v<D, float> && is_wide_integer<S>) store_wide(to, from, n, options.mode);
    else {
        float x[kChunk];
        load_chunk(x, from, n);
        if constexpr (is_integer<D>) {
            make_integral(x, options.mode);
            store_integers(to, x, n, options.truncates);
        } else if constexpr (std::is_same_v<D, float>) {
            if constexpr (std::is_same_v<S, float>) make_integral(x, options.mode);
            // Adding +0 turns -0 into +0: what float to float does, and no other conversion.
            for (size_t i = 0; i < n; i++) to[i] = canonical(std::is_same_v<S, float> ? x[i] + 0.0f : x[i]);
        } else store_rounded(to, x, n, options);
    }
}

template <class T> constexpr size_t storage_of(size_t lanes) { return std::is_same_v<T, int4x2_t> ? lanes / 2 : lanes; }

template <class D, class S> void cast_loop(void* dst, const void* a, const void* options_, size_t n) {
    const CastOptions options = *static_cast<const CastOptions*>(options_);
    D* to = static_cast<D*>(dst);
    const S* from = static_cast<const S*>(a);
    for (; n >= kChunk; n -= kChunk, to += storage_of<D>(kChunk), from += storage_of<S>(kChunk)) convert(to, from, kChunk, options);
    if (n) convert(to, from, n, options);
}

template <class D, class S, unsigned modes> constexpr void add_pair(CastTable& table, cast<D, S, modes>) {
    table.lane[static_cast<int>(DtypeOf<D>::value)][static_cast<int>(DtypeOf<S>::value)] = cast_loop<D, S>;
    table.modes[static_cast<int>(DtypeOf<D>::value)][static_cast<int>(DtypeOf<S>::value)] = static_cast<uint8_t>(modes);
}
template <class... C> constexpr CastTable make_casts(Types<C...>) {
    CastTable table{};
    (add_pair(table, C{}), ...);
    return table;
}

const CastTable& cast_lanes() {
    static constexpr CastTable table = make_casts(Pairs{});
    return table;
}

ACLIMB_LEVEL_END
