// SPDX-License-Identifier: Apache-2.0
// A host thread that runs cores: its scheduler's stack pointer, the core it runs now, and what it keeps for the next ones.
#pragma once
#include <sys/types.h>

#include <atomic>
#include <vector>

#include "core/core.h"
#include "core/kernel.h"

namespace aclimb {

struct Worker {
    void* scheduler_sp = nullptr;
    Core* volatile current = nullptr;
    std::atomic<uint64_t> running{0};                    // id of the launch whose core runs here; 0 for none
    std::atomic<uint64_t> running_since{0}, limit_ns{0}; // of that launch; 0: the limit of all
    Launch* volatile taking_part = nullptr;              // the launch this thread helps with, also while none of its cores runs here
    std::atomic<uint64_t> kill{0};                       // id of the launch to end, set before the signal is sent
    const char* volatile kill_reason = nullptr;
    pid_t thread = 0;
    std::vector<Core*> cores;                         // idle, with their stacks
    std::vector<LocalMemory*> aic_memory, aiv_memory; // last in, first out: the next core finds its memory in the cache
    LocalSizes aic_sizes{}, aiv_sizes{};
    uint64_t fault_addr = 0, fault_pc = 0; // left by the signal handler
    int fault_signal = 0;
};

Worker* this_worker();  // null on a thread that never ran a core
Worker& enter_worker(); // makes this thread a worker
Core* take_core(Worker& worker, CoreType type, const ChipLimits& chip);
void return_core(Worker& worker, Core* core);

void register_worker(Worker* worker); // for the watchdog; kept for good

void install_fault_handlers(); // for faults inside kernels, and in the user's host memory (memory/guarded.h)
void start_watchdog();         // the thread that ends launches beyond the time limit
void set_time_limit(double seconds);
double time_limit();
void interrupt_launch(Launch& launch); // Ctrl-C: no further core starts, and those that run end in a moment
int kill_signal_number();
void watch_sigint(); // Ctrl-C while this thread takes part in a launch ends that launch

uint64_t now_ns();

} // namespace aclimb
