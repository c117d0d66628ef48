// SPDX-License-Identifier: Apache-2.0
#include "core/scheduler.h"

#include "core/fiber.h"
#include "core/futex.h"
#include "core/hang.h"
#include "core/plan.h"
#include "core/signal_fault.h"
#include "core/start.h"
#include "isa/move.h"

namespace aclimb {

void Scheduler::run() {
    const UsualModes modes; // also where the program that synchronises has others
    worker_.limit_ns = launch_.limit_ns;
    worker_.running_since = launch_.started_ns;
    if (ACLIMB_UNLIKELY(launch_.schedule != nullptr)) run_scheduled();
    for (;;) {
        if (ACLIMB_UNLIKELY(!mine_.empty())) run_ready();
        const int32_t unit = claim();
        if (unit < launch_.units) {
            start(unit);
            wake_helpers();
        } else if (mine_.empty()) {
            break;
        } else {
            wait_for_progress();
        }
    }
    worker_.running_since = 0;
    flush_stores();
}

int32_t Scheduler::claim() {
    if (launch_.cancelled || launch_.next.load(std::memory_order_relaxed) >= launch_.units) return launch_.units;
    return launch_.next.fetch_add(1);
}

void Scheduler::start(int32_t unit) {
    CoreType type;
    int64_t block;
    int32_t sub;
    place_unit(launch_, unit, type, block, sub);
    Core* core = take_core(worker_, type, *launch_.chip);
    start_core(launch_, *core, unit, block, sub);
    forget_frames(core->stack, core->fiber);
    core->sp = prepare_stack(core->stack, core_main, core);
    resume(core);
    if (!settle(core)) mine_.push_back(core);
}

void Scheduler::resume(Core* core) {
    core->state = CoreState::running;
    hand_over(core);
}

void Scheduler::hand_over(Core* core) {
    swap_block_local(core, true);
    worker_.current.store(core, std::memory_order_relaxed);
    worker_.running = launch_.id;
    if (ACLIMB_UNLIKELY(!core->modes.usual())) core->modes.apply();
    hand_thread_to(&worker_.scheduler_sp, core->sp, core->stack, core->fiber);
    if (ACLIMB_UNLIKELY(core->state != CoreState::done)) left_halfway(core);
    use_usual_modes();
    worker_.running = 0;
    worker_.current.store(nullptr, std::memory_order_relaxed);
    swap_block_local(core, false);
}

// Not at the end of its kernel, which cleans up itself.
void Scheduler::left_halfway(Core* core) {
    clean_flags();
    if (core->state != CoreState::failed) core->modes = CpuModes::now(); // it comes back
}

// True: the core has ended and is back with the worker.
bool Scheduler::settle(Core* core) {
    const CoreState state = core->state;
    if (state == CoreState::blocked || state == CoreState::ready) return false;
    if (state == CoreState::failed && core->fault.empty()) core->fault.push_back(fault_of_signal(*core, worker_.signal));
    if (ACLIMB_UNLIKELY(!stack_is_whole(core->stack, core))) core->fault.assign(1, stack_overrun(*core)); // explains the rest
    if (ACLIMB_UNLIKELY(!core->fault.empty())) {
        launch_.record(*core, std::move(core->fault[0]));
        core->fault.clear();
    }
    {
        std::lock_guard lock(launch_.mutex);
        launch_.finished++;
        if (state == CoreState::done && !launch_.schedule) check_hang(launch_);
    }
    return_core(worker_, core);
    return true;
}

void Scheduler::run_ready() {
    for (size_t i = 0; i < mine_.size();) {
        Core* core = mine_[i];
        const bool ended = launch_.cancelled;
        if (ended) {
            forget(core);
            return_core(worker_, core);
        } else if (core->state == CoreState::ready) {
            resume(core);
            if (!settle(core)) {
                i++;
                continue;
            }
        } else {
            i++;
            continue;
        }
        mine_.erase(mine_.begin() + static_cast<ptrdiff_t>(i));
    }
}

// A core of another worker may still run, and set what this one waited for; by then it may belong to another launch.
void Scheduler::forget(Core* core) {
    std::lock_guard lock(launch_.mutex);
    std::erase(launch_.waiting, core);
}

bool Scheduler::any_ready() const {
    if (launch_.cancelled) return true;
    for (const Core* core : mine_)
        if (core->state == CoreState::ready) return true;
    return false;
}

void Scheduler::wait_for_progress() {
    const uint32_t seen = launch_.progress;
    const uint64_t until = now_ns() + 20000;
    while (!any_ready()) {
        for (int i = 0; i < 32; i++) relax();
        if (now_ns() < until) continue;
        if (any_ready() || launch_.progress != seen) return;
        launch_.sleepers++;
        futex_wait(launch_.progress, seen, 50000000);
        launch_.sleepers--;
        return;
    }
}

void Scheduler::wake_helpers() {
    if (ACLIMB_LIKELY(!launch_.helpers_at_ns)) return;
    if (now_ns() < launch_.helpers_at_ns || launch_.next >= launch_.units) return;
    launch_.helpers_at_ns = 0;
    launch_.call_helpers();
}

void Scheduler::swap_block_local(Core* core, bool in) {
    const bool by_turns = launch_.with_ranks(); // the same image runs on other devices: theirs are the variables between two turns
    for (Image* image : launch_.kernel->block_local[kind_index(core->core_type)]) {
        if (by_turns && in) image->block_local_mutex.lock();
        swap_block_local(core, *image, in);
        if (by_turns && !in) image->block_local_mutex.unlock();
    }
}

void Scheduler::swap_block_local(Core* core, Image& image, bool in) {
    BlockLocal& kept = block_local_[&image];
    const auto bytes = static_cast<size_t>(image.block_local_end - image.block_local);
    auto& initial = kept.initial;
    kept.saved.resize(static_cast<size_t>(launch_.units));
    auto& saved = kept.saved[static_cast<size_t>(core->unit)];
    if (in) {
        if (initial.empty()) initial.assign(image.block_local, image.block_local_end);
        memcpy(image.block_local, saved.empty() ? initial.data() : saved.data(), bytes);
    } else {
        saved.assign(image.block_local, image.block_local_end);
        memcpy(image.block_local, initial.data(), bytes);
    }
}

void run_cores(Launch& launch) { Scheduler(launch, enter_worker()).run(); }

} // namespace aclimb
