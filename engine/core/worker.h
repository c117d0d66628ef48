// SPDX-License-Identifier: Apache-2.0
// A host thread that runs cores: its scheduler's stack pointer, the core it runs now, and what it keeps for the next ones.
#pragma once
#include <sys/types.h>

#include <atomic>
#include <vector>

#include "core/core.h"
#include "core/kernel.h"

namespace aclimb {

// A signal that ended a core. Made in its handler: no memory is allocated.
struct KernelSignal {
    enum Cause : uint8_t {
        killed,         // by us: a time limit, Ctrl-C, an abort
        access,         // of an address
        protection,     // an access whose address the CPU does not tell
        misaligned,     // an access that needs an aligned address
        jump,           // to where no code is
        instruction,    // that the core cannot run
        integer_result, // of a division
        float_result,   // that the kernel itself asked to be told of
        system_call,    // that the filter of a device process refuses; `addr` is its number
    };
    Cause cause = killed;
    uint64_t pc = 0, addr = 0;
    const void* called_from = nullptr; // of a jump: the call, where it is known
};

struct Worker {
    void* scheduler_sp = nullptr;
    std::atomic<Core*> current{nullptr};
    std::atomic<uint64_t> running{0};                           // id of the launch whose core runs here; 0 for none
    std::atomic<uint64_t> running_since{0}, limit_ns{0};        // of that launch; 0: the limit of all
    std::atomic<Launch*> taking_part{nullptr};                  // the launch this thread helps with, also while none of its cores runs here
    std::atomic<uint64_t> kill{0};                              // id of the launch to end, set before the signal is sent
    std::atomic<FaultKind> kill_reason{FaultKind::interrupted}; // the watchdog's, or that of a signal to this thread
    pid_t thread = 0;
    std::vector<Core*> cores;                         // idle, with their stacks
    std::vector<LocalMemory*> aic_memory, aiv_memory; // last in, first out: the next core finds its memory in the cache
    LocalSizes aic_sizes{}, aiv_sizes{};
    KernelSignal signal; // left by the handler of the signal that ended the core
};

Worker* this_worker();  // null on a thread that never ran a core
Worker& enter_worker(); // makes this thread a worker
Core* take_core(Worker& worker, CoreType type, const ChipLimits& chip);
void return_core(Worker& worker, Core* core);

void register_worker(Worker* worker); // for the watchdog; kept for good

void start_watchdog(); // the thread that ends launches beyond the time limit
int threads_set_up();  // workers and the watchdog, so far
void set_time_limit(double seconds);
double time_limit();
void interrupt_launch(Launch& launch); // Ctrl-C: no further core starts, and those that run end in a moment
int kill_signal_number();
// In a device process: a system call that its filter refuses ends the kernel that made it. One that came from elsewhere, and a signal that
// came while no kernel ran, is for `die`, which does not return.
void install_system_call_handler(void (*die)(int signal, uint64_t what));
void watch_sigint(); // Ctrl-C while this thread takes part in a launch ends that launch
void leave_sigint(); // no more: the process is a C program's, and what Ctrl-C does is its own affair

uint64_t now_ns();

} // namespace aclimb
