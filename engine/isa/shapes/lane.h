// SPDX-License-Identifier: Apache-2.0
// Between the shapes (which know repeats, strides and masks) and the lane loops (which know types and arithmetic).
#pragma once
#include <cstddef>
#include <cstdint>

#include "aclimb/abi.h"
#include "isa/simd.h"

namespace aclimb {

// n lanes that lie one behind the other. Destination and source are identical or disjoint. What a shape does not have is null;
// a scalar operand arrives as a pointer in the place of b.
using Lane = void (*)(void* dst, const void* a, const void* b, size_t n);

constexpr int kDtypes = static_cast<int>(Dtype::i4) + 1;

// The types vector arithmetic has on A2 and A3; `mixed` is a float destination with half sources.
enum class Column : uint8_t { half, f32, i16, u16, i32, u32, mixed, count };
constexpr int kColumns = static_cast<int>(Column::count);

constexpr Column column_of(Dtype type) {
    switch (type) {
    case Dtype::half: return Column::half;
    case Dtype::f32: return Column::f32;
    case Dtype::i16: return Column::i16;
    case Dtype::u16: return Column::u16;
    case Dtype::i32: return Column::i32;
    case Dtype::u32: return Column::u32;
    default: return Column::count;
    }
}

// How a reduction makes one lane of two.
enum class Fold : uint8_t { sum, max, min };

// A scalar operand and the instruction's mode, as b of a lane loop.
struct ScalarOperand {
    uint64_t bits;
    uint8_t mode;
};

} // namespace aclimb
