// SPDX-License-Identifier: Apache-2.0
// The instructions of the cube unit and of the way out of L0C. Records: aclimb/abi.h.
#pragma once
#include "core/core.h"

namespace aclimb {

bool execute_mmad(Core& core, Head& head);
bool execute_fixpipe(Core& core, Head& head);

} // namespace aclimb
