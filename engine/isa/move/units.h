// SPDX-License-Identifier: Apache-2.0
// Units of the local memories. Everything is `static`: *.level.cpp files include this, and levels must not share compiled functions.
#pragma once
#include <cstdint>

namespace aclimb {

constexpr uint32_t kBlock = 32;    // bytes; unit of UB and L1, and one row of a fractal
constexpr uint32_t kFractal = 512; // bytes; 16 rows of 32: unit of L0A and L0B

static constexpr uint64_t round_up(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }
static constexpr uint32_t ceil_div(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit; }

} // namespace aclimb
