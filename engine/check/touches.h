// SPDX-License-Identifier: Apache-2.0
// What a record touches, as the checker wants it: bytes, registers, and what makes a pair of accesses harmless.
#pragma once
#include <vector>

#include "check/core_check.h"
#include "isa/ranges.h"
#include "memory/local.h"

namespace aclimb::check {

inline Way way_of(Role role) { return role == Role::reads ? Way::reads : role == Role::writes ? Way::writes : Way::updates; }

// The same bytes, each row once: an operand that is broadcast is read again and again. `room` holds the answer where there were repeats.
const Ranges& without_repeats(const Ranges& touched, Ranges& room);

void touches_of(const Head& head, const Ranges& touched, const LocalMemory& memory, std::vector<Touch>& to); // it has just run
bool orders_itself(const Head& head);                   // a product that is long enough to follow the one before without a barrier
std::vector<Touch> registers_read_by(const Head& head); // of the scalar unit, what V left there
bool is_scalar_access(Op op);
inline uint64_t bits_of_size(uint64_t bytes) { return bytes >= 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * bytes)) - 1; }

} // namespace aclimb::check
