// SPDX-License-Identifier: Apache-2.0
// The words instruction files are written in: BINARY(vadd, half, float) { return a + b; } and its relatives.
// The body sees wide values (float for half and float; int32_t for int16_t; int32_t, or int64_t when saturating, for int32_t) and
// returns a wide value; the loop narrows once.
#pragma once
#include <type_traits>

#include "isa/numeric/elementary.h"
#include "isa/shapes/lane_table.h"
#include "isa/shapes/lists.h"

ACLIMB_LEVEL_BEGIN

enum class Form { none, binary, accumulate, scalar_lane, scalar_accumulate, unary, other };

// What an instruction means; specialised by the instruction's file.
template <Op op> struct Meaning {
    static constexpr Form form = Form::none;
};

#define ACLIMB_MEANING(name, form_, parameters, ...)                                                                                       \
    template <> struct Meaning<Op::name> {                                                                                                 \
        static constexpr Form form = Form::form_;                                                                                          \
        using List = Types<__VA_ARGS__>;                                                                                                   \
        template <class W> static inline __attribute__((always_inline)) W lane parameters;                                                 \
    };                                                                                                                                     \
    template <class W> inline W Meaning<Op::name>::lane parameters

// Two tensors: a, b.
#define BINARY(name, ...) ACLIMB_MEANING(name, binary, ([[maybe_unused]] W a, [[maybe_unused]] W b), __VA_ARGS__)
// Two tensors, and the destination is read as well: d, a, b.
#define ACCUMULATE(name, ...) ACLIMB_MEANING(name, accumulate, (W d, W a, W b), __VA_ARGS__)
// A tensor and a scalar: a, s. `mode` is the record's.
#define SCALAR_LANE(name, ...) ACLIMB_MEANING(name, scalar_lane, (W a, W s, [[maybe_unused]] int mode), __VA_ARGS__)
// A tensor and a scalar, and the destination is read: d, and p, the product, which is rounded to the destination's type already.
#define SCALAR_ACCUMULATE(name, ...) ACLIMB_MEANING(name, scalar_accumulate, (W d, W p), __VA_ARGS__)
// One tensor: a.
#define UNARY(name, ...) ACLIMB_MEANING(name, unary, (W a), __VA_ARGS__)
// No arithmetic on lanes: the shape does everything, the file names the types.
#define TYPED(name, ...)                                                                                                                   \
    template <> struct Meaning<Op::name> {                                                                                                 \
        static constexpr Form form = Form::other;                                                                                          \
        using List = Types<__VA_ARGS__>;                                                                                                   \
    };
#define DUPLICATE(name, ...) TYPED(name, __VA_ARGS__)
#define MOVE(name, ...) TYPED(name, __VA_ARGS__)
#define COMPARE(name, ...) TYPED(name, __VA_ARGS__)
#define SELECT(name, ...) TYPED(name, __VA_ARGS__)

// Reductions: how two lanes become one. The tree around it is the shape's.
#define REDUCE(name, fold_, ...)                                                                                                           \
    template <> struct Meaning<Op::name> {                                                                                                 \
        static constexpr Form form = Form::other;                                                                                          \
        static constexpr Fold fold = Fold::fold_;                                                                                          \
        using List = Types<__VA_ARGS__>;                                                                                                   \
    };

#define CAST_PAIRS(name, ...) TYPED(name, __VA_ARGS__)

ACLIMB_LEVEL_END
