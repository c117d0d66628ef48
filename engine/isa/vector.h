// SPDX-License-Identifier: Apache-2.0
// The vector instructions as the engine calls them: execute_vadd(core, record) and so on, one for each vector row of instructions.def.
#pragma once
#include "core/core.h"

namespace aclimb {

// A shape runs all of its instructions; the record's op says which one is meant. Each has a file in isa/shapes/.
#define ACLIMB_VECTOR_ROW(name, shape)                                                                                                     \
    bool run_##shape(Core& core, Head& head);                                                                                              \
    bool execute_##name(Core& core, Head& head);
#include "isa/vector_rows.h"

} // namespace aclimb
