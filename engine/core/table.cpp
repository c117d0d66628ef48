// SPDX-License-Identifier: Apache-2.0
// Who runs a record: a vector instruction is run by its shape, any other by the function of its own name.
// Those that compute or move data need only the datapath; the others the whole core.
#include "core/core.h"

namespace aclimb {

#define RUNS_control(name, shape) execute_##name
#define RUNS_scalar(name, shape) execute_##name
#define RUNS_debug(name, shape) execute_##name
#define RUNS_move(name, shape) execute_##name
#define RUNS_cube(name, shape) execute_##name
#define RUNS_vector(name, shape) run_##shape

#define NEEDS_control Core
#define NEEDS_scalar Core
#define NEEDS_debug Core
#define NEEDS_move Datapath
#define NEEDS_cube Datapath
#define NEEDS_vector Datapath

#define INSTRUCTION_ROW(name, shape, record, kind, ...) bool RUNS_##kind(name, shape)(NEEDS_##kind&, Head&);
#include "aclimb/instructions.def"
#undef INSTRUCTION_ROW

namespace {
template <auto function> bool run(Datapath& path, Head& head) { return function(static_cast<Core&>(path), head); }
template <auto function> constexpr Execute entry() {
    if constexpr (std::is_same_v<decltype(function), Execute>) return function;
    else return run<function>;
}
} // namespace

const Execute execute_table[] = {
#define INSTRUCTION_ROW(name, shape, record, kind, ...) entry<RUNS_##kind(name, shape)>(),
#include "aclimb/instructions.def"
#undef INSTRUCTION_ROW
};

} // namespace aclimb
