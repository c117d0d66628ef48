// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/launch.h"

namespace aclimb {

// Called with launch.mutex held whenever a core blocks or ends. When every core is blocked or has ended, nothing can run any
// more; the fault says who waits for what, where, and who has not set it.
void check_hang(Launch& launch);
Fault cross_flag_overflow(Core& core); // a set more than its counter takes, and nobody left to wait for it

} // namespace aclimb
