// SPDX-License-Identifier: Apache-2.0
// The accesses to global memory of all cores, laid over each other when the launch has ended: which pairs are in no order, and which kind
// of mistake each of them is.
#pragma once
#include <memory>
#include <vector>

#include "check/core_check.h"

namespace aclimb::check {

void judge_global(const std::vector<std::unique_ptr<CoreCheck>>& cores, bool all_pairs, Findings& findings);

} // namespace aclimb::check
