// SPDX-License-Identifier: Apache-2.0
// What an instruction touched whose bytes depend on what it read. Its row knows the hull only; when it has run, the offsets and the bits
// are there to look at.
#pragma once
#include "core/core.h"
#include "isa/ranges.h"

namespace aclimb::check {

// `touched`, or `room` with the bytes themselves.
const Ranges& exact(const Core& core, const Head& head, const Ranges& touched, Ranges& room);

} // namespace aclimb::check
