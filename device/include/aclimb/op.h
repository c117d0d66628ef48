// SPDX-License-Identifier: Apache-2.0
// The instructions by name: one number for each row of instructions.def. What includes this file is compiled anew for a new row.
#pragma once
#include "aclimb/abi.h"

namespace aclimb {

enum class Op : uint16_t {
#define INSTRUCTION_ROW(name, ...) name,
#include "aclimb/instructions.def"
#undef INSTRUCTION_ROW
    count
};

} // namespace aclimb
