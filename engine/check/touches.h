// SPDX-License-Identifier: Apache-2.0
// What a record touches, as the checker wants it: bytes, registers, and what makes a pair of accesses harmless.
#pragma once
#include <vector>

#include "check/core_check.h"
#include "isa/effect.h"
#include "isa/ranges.h"
#include "memory/local.h"

namespace aclimb::check {

inline Way way_of(Role role) { return role == Role::reads ? Way::reads : role == Role::updates ? Way::updates : Way::writes; }

// The same bytes, each row once: an operand that is broadcast is read again and again. `room` holds the answer where there were repeats.
const Ranges& without_repeats(const Ranges& touched, Ranges& room);

// Of a record that has just run.
void touches_of(const Head& head, const Effect& effect, const Ranges& touched, const LocalMemory& memory, std::vector<Touch>& to);
void scalar_touches_of(const Head& head, const Effect& effect, const Ranges& touched, std::vector<Touch>& to); // of the scalar unit
inline uint64_t bits_of_size(uint64_t bytes) { return bytes >= 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * bytes)) - 1; }

} // namespace aclimb::check
