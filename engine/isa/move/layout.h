// SPDX-License-Identifier: Apache-2.0
// The alignment each memory asks of an operand.
#pragma once
#include <algorithm>

#include "isa/datapath.h"
#include "isa/move/units.h"

namespace aclimb {

inline bool is_global(const Place& place) { return place.memory == static_cast<uint64_t>(Memory::GM); }
inline Memory memory_of(const Place& place) { return static_cast<Memory>(place.memory); }

// Start alignment of a moved operand in bytes. Global memory asks for whole elements only.
inline uint32_t alignment_of(const Place& place, uint32_t element) {
    constexpr uint32_t local[kMemories] = {1, 32, 32, 512, 512, 64, 64, 64}; // GM UB L1 L0A L0B L0C BT FB
    return is_global(place) ? std::max(element, 1u) : local[place.memory];
}

} // namespace aclimb
