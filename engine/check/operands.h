// SPDX-License-Identifier: Apache-2.0
// What an instruction may not do with its own operands, whatever the others do: a result over sources that are still to be read, in part
// over those of its own repeat; a comparison that leaves out its last elements. It runs on a chip, with values that nobody promised.
#pragma once
#include <optional>

#include "check/findings.h"
#include "isa/ranges.h"

namespace aclimb::check {

struct Misplaced {
    FindingKind kind;
    int operand; // the source
    uint64_t begin, end, number;
};

std::optional<Misplaced> misplaced(const Head& head, const Ranges& touched);

} // namespace aclimb::check
