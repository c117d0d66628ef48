// SPDX-License-Identifier: Apache-2.0
// The element types of a tensor as the engine stores them. Plain bits without operators: arithmetic happens in the wide type.
#pragma once
#include <cstdint>
#include <cstring>

#include "aclimb/abi.h"

namespace aclimb {

struct half {
    uint16_t bits;
};
struct bfloat16_t {
    uint16_t bits;
};
struct int4x2_t { // two int4b_t; the element with the lower index is the low nibble (the hardware's order is not published)
    uint8_t bits;
};

// In an instruction's list of types: this type never saturates there, whatever the saturation flag says.
template <class T> struct wrapping {};
// In Axpy and MulAddDst: the destination is wider than the sources.
template <class Dst, class Src> struct mixed {};

template <class T> struct DtypeOf;
#define ACLIMB_ELEMENT(type, dtype)                                                                                                        \
    template <> struct DtypeOf<type> {                                                                                                     \
        static constexpr Dtype value = Dtype::dtype;                                                                                       \
    };
ACLIMB_ELEMENT(int8_t, i8)
ACLIMB_ELEMENT(uint8_t, u8)
ACLIMB_ELEMENT(int16_t, i16)
ACLIMB_ELEMENT(uint16_t, u16)
ACLIMB_ELEMENT(int32_t, i32)
ACLIMB_ELEMENT(uint32_t, u32)
ACLIMB_ELEMENT(int64_t, i64)
ACLIMB_ELEMENT(uint64_t, u64)
ACLIMB_ELEMENT(half, half)
ACLIMB_ELEMENT(bfloat16_t, bf16)
ACLIMB_ELEMENT(float, f32)
ACLIMB_ELEMENT(int4x2_t, i4)
#undef ACLIMB_ELEMENT

} // namespace aclimb
