// SPDX-License-Identifier: Apache-2.0
// Every instruction has one function that runs it; the declarations grow from the table.
#pragma once
#include "core/core.h"

namespace aclimb {

#define INSTRUCTION_ROW(name, shape, pipe, api) bool execute_##name(Core& core, Head& head);
#include "aclimb/instructions.def"
#undef INSTRUCTION_ROW

} // namespace aclimb
