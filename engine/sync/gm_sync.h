// SPDX-License-Identifier: Apache-2.0
// What the waits on global memory share. Everything here is called with launch.mutex held.
#pragma once
#include "core/launch.h"

namespace aclimb {

constexpr uint64_t kSlotBytes = 32;

void wake_pollers(Launch& launch); // those whose wait has come

// block_order.cpp
bool is_turn_of(const Launch& launch, const Core& core, uint64_t workspace);
bool take_group(Launch& launch, uint64_t workspace, int32_t index); // true: everybody has arrived once more than `index` has waited

} // namespace aclimb
