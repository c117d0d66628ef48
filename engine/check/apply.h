// SPDX-License-Identifier: Apache-2.0
// What the effect of a record (isa/effect.h) does to what is known of the order. The checker of a launch applies each as it happens, the
// replay of its tape again with calls moved.
#pragma once
#include <optional>

#include "check/core_check.h"
#include "check/cross.h"
#include "isa/effect.h"

namespace aclimb::check {

// In this order. A soft synchronisation begins with a barrier of all pipes and its signal, before it waits; what handles data signals when
// it has run.
CrossOrder::Mixed signal(CoreCheck& core, CrossOrder& cores, const Effect& effect, Pipe pipe, const Spot& here);
void hear(CoreCheck& core, CrossOrder& cores, const Effect& effect); // but for polled words, which depend on their values
void touch(CoreCheck& core, const Effect& effect, Pipe pipe, const Spot& here, const std::vector<Touch>& touches);

void barrier(CoreOrder& order, const Effect& effect); // where it is one
std::optional<SyncMark> mark_of(const Effect& effect, Pipe pipe);

} // namespace aclimb::check
