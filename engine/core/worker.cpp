// SPDX-License-Identifier: Apache-2.0
#include "core/worker.h"

#include <csignal>
#include <cstdlib>
#include <ctime>

#include "core/fiber.h"
#include "memory/thread_id.h"

namespace aclimb {
namespace {

thread_local __attribute__((tls_model("initial-exec"))) Worker* worker_of_thread = nullptr;

bool same(const LocalSizes& a, const LocalSizes& b) { return memcmp(a.bytes, b.bytes, sizeof a.bytes) == 0; }

void drop(std::vector<LocalMemory*>& memories) {
    for (auto* each : memories) delete each;
    memories.clear();
}

} // namespace

uint64_t now_ns() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<uint64_t>(time.tv_sec) * 1000000000u + static_cast<uint64_t>(time.tv_nsec);
}

Worker* this_worker() { return worker_of_thread; }

Worker& enter_worker() {
    if (worker_of_thread) return *worker_of_thread;
    auto* worker = new Worker;
    worker->thread = thread_id();
    // A kernel that overflows its stack leaves none for the handler, so the handler has one of its own.
    stack_t present{};
    sigaltstack(nullptr, &present);
    if (present.ss_flags & SS_DISABLE) {
        stack_t own{};
        own.ss_size = 64 * 1024;
        own.ss_sp = malloc(own.ss_size);
        sigaltstack(&own, nullptr);
    }
    worker_of_thread = worker;
    register_worker(worker);
    return *worker;
}

Core* take_core(Worker& worker, CoreType type, const ChipLimits& chip) {
    Core* core;
    if (worker.cores.empty()) {
        core = new Core;
        core->stack = allocate_stack();
        core->worker = &worker;
    } else {
        core = worker.cores.back();
        worker.cores.pop_back();
    }
    const bool aic = type == CoreType::AIC;
    auto& memories = aic ? worker.aic_memory : worker.aiv_memory;
    auto& sizes = aic ? worker.aic_sizes : worker.aiv_sizes;
    const auto& wanted = aic ? chip.aic : chip.aiv;
    if (ACLIMB_UNLIKELY(!same(sizes, wanted))) {
        drop(memories);
        sizes = wanted;
    }
    if (memories.empty()) {
        core->memory = new LocalMemory(wanted);
    } else {
        core->memory = memories.back();
        memories.pop_back();
    }
    core->core_type = type;
    return core;
}

void return_core(Worker& worker, Core* core) {
    core->memory->poison();
    (core->core_type == CoreType::AIC ? worker.aic_memory : worker.aiv_memory).push_back(core->memory);
    core->memory = nullptr;
    for (auto& queue : core->queues) queue.clear();
    core->fused = nullptr;
    worker.cores.push_back(core);
}

} // namespace aclimb
