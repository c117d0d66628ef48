// SPDX-License-Identifier: Apache-2.0
// What an AIV tells its AIC about a call of a Matmul object. What Set* calls have set travels with the next call that computes.
#pragma once
#include "aclimb/matmul/geometry.h"
#include "aclimb/messages.h"

namespace aclimb {

enum class MatmulFunction : uint8_t {
    init,   // a new tiling
    all,    // IterateAll: the whole part
    block,  // Iterate: the next base block, which stays in L0C
    result, // GetTensorC: it is written
    blocks, // Iterate<false>: all blocks, one behind the other into the workspace
    end,    // End
    quit    // the AIV leaves the function that registered the objects
};

// What the object knows when it computes.
struct MatmulState {
    Place a, b, bias, words; // in global memory; A and B also in L1
    uint64_t scalar_a, scalar_b, quant_word, user_info, user_data;
    Extents part;
    int32_t org_m, org_n, org_ka, org_kb, org_kc;
    uint8_t a_transposed, b_transposed, has_bias, quant_per_column, hf32, hf32_mode, reserved[2];
};

struct MatmulCall {
    MatmulFunction function;
    uint8_t object;
    uint8_t answers; // the AIV waits for it, now or later
    uint8_t atomic, in_place, adds, reserved[2];
    int32_t block; // which of them
    int32_t width; // elements from row to row of a result that is not written in place
    Place c;
    MatmulState state;
};
struct MatmulInit {
    MatmulFunction function;
    uint8_t object, reserved[6];
    TCubeTiling tiling;
};

// The workspace of Iterate<false>: elements of a block, and from row to row. Rows begin at multiples of 32 bytes.
template <class Type> constexpr int32_t packed_width(int32_t columns) {
    return up_to(columns, Type::format == CubeFormat::NZ ? 16 : kC0<typename Type::T>);
}
template <class Type> constexpr int32_t packed_elements(int32_t rows, int32_t columns) {
    return (Type::format == CubeFormat::NZ ? up_to(rows, 16) : rows) * packed_width<Type>(columns);
}

} // namespace aclimb
