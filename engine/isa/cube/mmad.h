// SPDX-License-Identifier: Apache-2.0
// One Mmad after its checks: what the SIMD levels compute.
#pragma once
#include "aclimb/abi.h"
#include "isa/move/units.h"
#include "isa/simd.h"

namespace aclimb {

// Fractals along k. With kDirectionAlign float matrices are padded to multiples of 16 in k, like 16-bit ones.
static constexpr uint32_t fractals_along_k(uint32_t k, uint32_t k0, bool aligned) {
    return aligned && k0 == 8 ? 2 * ceil_div(k, 16) : ceil_div(k, k0);
}

// Elements of 32 bytes: a row of a fractal.
static constexpr uint32_t k0_of(Dtype type) {
    return type == Dtype::i4 ? 64 : type == Dtype::i8 || type == Dtype::u8 ? 32 : type == Dtype::f32 ? 8 : 16;
}

struct MmadJob {
    const uint8_t *a, *b; // L0A: fractals (m / 16, k), L0B: fractals (k, n / 16); 16 rows of 32 bytes each
    void* c;              // L0C: (n / 16, m / 16, 16, 16) words
    const void* bias;     // one word a column, padded to 16 columns; null for none
    uint32_t m, n, k;
    uint32_t k_fractals; // fractals along k
    bool accumulates;    // onto what L0C holds; without it from the bias or zero
    void *a_panel, *b_panel;
    uint32_t a_pitch; // words from one row of the A panel to the next
};

using MmadBody = void (*)(const MmadJob&);

struct MmadBodies {
    MmadBody half, bf16, f32, hf32_nearest, hf32_truncated, i8, i4;
};

ACLIMB_DECLARE_LEVELS(MmadBodies, mmad_bodies)

} // namespace aclimb
