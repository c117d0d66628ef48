// SPDX-License-Identifier: Apache-2.0
// A core from its first instruction to its end.
#pragma once
#include "core/launch.h"

namespace aclimb {

// Which core a unit of the launch is: every block's AIC first, then its AIVs.
void place_unit(const Launch& launch, int32_t unit, CoreType& type, int64_t& block, int32_t& sub);
// Registers, flags and buffers as the hardware has them when a kernel begins.
void start_core(Launch& launch, Core& core, int32_t unit, int64_t block, int32_t sub);
void check_flags(Core& core, const char* at); // nothing may be pending or set where a kernel ends
void core_main();                             // what a fresh core's stack enters: the kernel, then the checks at its end

} // namespace aclimb
