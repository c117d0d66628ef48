// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ucontext.h>

#include <csignal>

#include "core/worker.h"

namespace aclimb {

uint64_t& program_counter(ucontext_t& context);
// What a signal says about the core that this worker runs. Called from its handler.
KernelSignal read_signal(const Worker& worker, int number, const siginfo_t& info, ucontext_t& context);
// Afterwards, on the scheduler's stack.
Fault fault_of_signal(Core& core, const KernelSignal& signal);
bool is_in_kernel(const Worker& worker, const ucontext_t& context); // the signal came from code of the kernel, not of the engine
Fault stack_overrun(Core& core);                                    // an array on the stack was written beyond its end

} // namespace aclimb
