// SPDX-License-Identifier: Apache-2.0
// Who runs a record: a vector instruction is run by its shape, any other by the function of its own name.
#include "core/core.h"

namespace aclimb {

#define RUNS_control(name, shape) execute_##name
#define RUNS_scalar(name, shape) execute_##name
#define RUNS_debug(name, shape) execute_##name
#define RUNS_move(name, shape) execute_##name
#define RUNS_cube(name, shape) execute_##name
#define RUNS_vector(name, shape) run_##shape

#define INSTRUCTION_ROW(name, shape, record, kind, ...) bool RUNS_##kind(name, shape)(Core & core, Head & head);
#include "aclimb/instructions.def"
#undef INSTRUCTION_ROW

const Execute execute_table[] = {
#define INSTRUCTION_ROW(name, shape, record, kind, ...) RUNS_##kind(name, shape),
#include "aclimb/instructions.def"
#undef INSTRUCTION_ROW
};

} // namespace aclimb
