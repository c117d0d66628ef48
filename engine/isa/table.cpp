// SPDX-License-Identifier: Apache-2.0
#include "isa/control.h"

namespace aclimb {

const Execute execute_table[] = {
#define INSTRUCTION_ROW(name, shape, pipe, api) execute_##name,
#include "aclimb/instructions.def"
#undef INSTRUCTION_ROW
};

} // namespace aclimb
