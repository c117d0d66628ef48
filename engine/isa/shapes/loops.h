// SPDX-License-Identifier: Apache-2.0
// From a meaning to loops over lanes: widen, compute, narrow once. One instance for each instruction, type and saturation.
// Only for *.level.cpp files. Written so that GCC and clang vectorise them; nothing here may call a template outside this namespace.
#pragma once
#include <utility>

#include "isa/shapes/elements.h"
#include "isa/shapes/meaning.h"

ACLIMB_LEVEL_BEGIN

// Destination and source element of an entry in a list of types.
template <class T, bool kSaturate> struct Pair {
    using Dst = Element<T, kSaturate>;
    using Src = Element<T, kSaturate>;
    static constexpr Column column = column_of(DtypeOf<typename Dst::Storage>::value);
};
template <class D, class S, bool kSaturate> struct Pair<mixed<D, S>, kSaturate> {
    using Dst = Element<D, kSaturate>;
    using Src = Element<S, kSaturate>;
    static constexpr Column column = Column::mixed;
};

constexpr bool reads_dst(Form form) { return form == Form::accumulate || form == Form::scalar_accumulate; }
constexpr bool reads_b(Form form) { return form == Form::binary || form == Form::accumulate; }
constexpr bool has_scalar(Form form) { return form == Form::scalar_lane || form == Form::scalar_accumulate; }

template <Op op, class W> ACLIMB_NUMERIC W apply(W d, W a, W b, [[maybe_unused]] int mode) {
    using M = Meaning<op>;
    if constexpr (M::form == Form::binary) return M::template lane<W>(a, b);
    if constexpr (M::form == Form::accumulate) return M::template lane<W>(d, a, b);
    if constexpr (M::form == Form::scalar_accumulate) return M::template lane<W>(d, a); // a is the product
    if constexpr (M::form == Form::scalar_lane) return M::template lane<W>(a, b, mode);
    if constexpr (M::form == Form::unary) return M::template lane<W>(a);
}

// The products of an instruction that adds them to its destination, each rounded to that one's type.
template <class D> ACLIMB_NUMERIC void multiply_group(float* x, float scalar) {
    typename D::Storage rounded[kGroup];
    ACLIMB_LANES
    for (size_t j = 0; j < kGroup; j++) x[j] = D::finish(x[j] * scalar);
    narrow_group(rounded, x);
    widen_group(x, rounded);
}

// half in or out: kGroup lanes at a time through small float arrays, which the compiler keeps in registers.
template <Op op, class D, class S> void grouped_loop(void* dst, const void* a_, const void* b_, size_t n) {
    constexpr Form form = Meaning<op>::form;
    auto* to = static_cast<typename D::Storage*>(dst);
    auto* a = static_cast<const typename S::Storage*>(a_);
    auto* b = static_cast<const typename S::Storage*>(b_);
    float scalar = 0;
    int mode = 0;
    if constexpr (has_scalar(form)) {
        scalar = S::load(*b);
        mode = static_cast<const ScalarOperand*>(b_)->mode;
    }
    const auto compute = [scalar, mode](float* d, const float* x, const float* y) __attribute__((always_inline)) {
        ACLIMB_LANES
        for (size_t j = 0; j < kGroup; j++) d[j] = D::finish(apply<op, float>(d[j], x[j], has_scalar(form) ? scalar : y[j], mode));
    };
    size_t i = 0;
    for (; i + kGroup <= n; i += kGroup) {
        float d[kGroup], x[kGroup], y[kGroup];
        if constexpr (reads_dst(form)) widen_group(d, to + i);
        widen_group(x, a + i);
        if constexpr (form == Form::scalar_accumulate) multiply_group<D>(x, scalar);
        if constexpr (reads_b(form)) widen_group(y, b + i);
        compute(d, x, y);
        narrow_group(to + i, d);
    }
    if (i < n) {
        float d[kGroup], x[kGroup], y[kGroup];
        if constexpr (reads_dst(form)) widen_some(d, to + i, n - i);
        widen_some(x, a + i, n - i);
        if constexpr (form == Form::scalar_accumulate) multiply_group<D>(x, scalar);
        if constexpr (reads_b(form)) widen_some(y, b + i, n - i);
        compute(d, x, y);
        narrow_some(to + i, d, n - i);
    }
}

template <Op op, class D, class S> void plain_loop(void* dst, const void* a_, const void* b_, size_t n) {
    constexpr Form form = Meaning<op>::form;
    using W = typename D::Wide;
    auto* to = static_cast<typename D::Storage*>(dst);
    auto* a = static_cast<const typename S::Storage*>(a_);
    auto* b = static_cast<const typename S::Storage*>(b_);
    if constexpr (has_scalar(form)) {
        const W scalar = S::load(*b);
        const int mode = static_cast<const ScalarOperand*>(b_)->mode;
        ACLIMB_LANES
        for (size_t i = 0; i < n; i++) {
            const W x = form == Form::scalar_accumulate ? S::load(a[i]) * scalar : S::load(a[i]);
            to[i] = D::store(apply<op, W>(reads_dst(form) ? D::load(to[i]) : W{}, x, scalar, mode));
        }
    } else if constexpr (reads_b(form)) {
        ACLIMB_LANES
        for (size_t i = 0; i < n; i++)
            to[i] = D::store(apply<op, W>(reads_dst(form) ? D::load(to[i]) : W{}, S::load(a[i]), S::load(b[i]), 0));
    } else {
        ACLIMB_LANES
        for (size_t i = 0; i < n; i++) to[i] = D::store(apply<op, W>(W{}, S::load(a[i]), W{}, 0));
    }
}

template <Op op, class T, bool kSaturate> constexpr Lane lane_of() {
    using P = Pair<T, kSaturate>;
    if constexpr (P::Dst::grouped || P::Src::grouped) return grouped_loop<op, typename P::Dst, typename P::Src>;
    else return plain_loop<op, typename P::Dst, typename P::Src>;
}

template <Op op, class... T> constexpr void add_types(LaneTable& table, Types<T...>) {
    ((table.lane[static_cast<int>(op)][static_cast<int>(Pair<T, false>::column)][0] = lane_of<op, T, false>(),
      table.lane[static_cast<int>(op)][static_cast<int>(Pair<T, false>::column)][1] = lane_of<op, T, true>()),
     ...);
}

template <Op op, Form... forms> constexpr void add_op(LaneTable& table) {
    if constexpr (((Meaning<op>::form == forms) || ...)) add_types<op>(table, typename Meaning<op>::List{});
}

template <Form... forms, int... index> constexpr LaneTable make_table(std::integer_sequence<int, index...>) {
    LaneTable table{};
    (add_op<static_cast<Op>(index), forms...>(table), ...);
    return table;
}

// The loops of every instruction of the given forms.
template <Form... forms> constexpr LaneTable lane_table() { return make_table<forms...>(std::make_integer_sequence<int, kOps>{}); }

ACLIMB_LEVEL_END
