// SPDX-License-Identifier: Apache-2.0
// Units of the local memories and the alignment each one asks of an operand.
#pragma once
#include <algorithm>

#include "core/core.h"

namespace aclimb {

constexpr uint32_t kBlock = 32;    // bytes; unit of UB and L1, and one row of a fractal
constexpr uint32_t kFractal = 512; // bytes; 16 rows of 32: unit of L0A and L0B

constexpr uint64_t round_up(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }
constexpr uint32_t ceil_div(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit; }

inline bool is_global(const Place& place) { return place.memory == static_cast<uint64_t>(Memory::GM); }
inline Memory memory_of(const Place& place) { return static_cast<Memory>(place.memory); }

// Start alignment of a moved operand in bytes. Global memory asks for whole elements only.
inline uint32_t alignment_of(const Place& place, uint32_t element) {
    constexpr uint32_t local[kMemories] = {1, 32, 32, 512, 512, 64, 64, 64}; // GM UB L1 L0A L0B L0C BT FB
    return is_global(place) ? std::max(element, 1u) : local[place.memory];
}

} // namespace aclimb
