// SPDX-License-Identifier: Apache-2.0
#include "core/launch.h"

#include "aclimb/op.h"
#include "core/fiber.h"
#include "core/futex.h"
#include "core/hang.h"
#include "core/plan.h"
#include "core/schedule.h"
#include "core/start.h"
#include "core/worker.h"
#include "memory/global.h"

namespace aclimb {

void Launch::prepare() {
    static std::atomic<uint64_t> ids{0};
    id = ++ids;
    const int aics = aics_per_block(kernel->type), aivs = aivs_per_block(kernel->type);
    units = static_cast<int32_t>(num_blocks) * (aics + aivs);
    next = 0;
    cancelled = waiter_came = false;
    blocked = finished = setters_waiting = servers_waiting = 0;
    waiting.clear();
    fault.reset();
    notes.clear();
    turns.clear();
    groups.clear();
    mail.clear();
    feeds.assign(kernel->plan ? kernel->plan->subs.size() : 0, Feed{});
    output.resize(static_cast<size_t>(units));
    if (armed()) cross.reset(num_blocks, aics, aivs);
    spans.clear();
    if (kernel->is_observed) find_spans();
}

void Launch::find_spans() {
    for (const GlobalMemory* each : GlobalMemory::all()) {
        spans.push_back({each->begin(), each->end() - each->begin()});
        if (each == memory) std::swap(spans.front(), spans.back());
    }
}

void Launch::observe(std::shared_ptr<Observer> observer) {
    tells_executed |= observer->wants_executed();
    observers.insert(observers.end() - (schedule ? 1 : 0), std::move(observer));
}

void Launch::follow(const std::shared_ptr<Schedule>& chosen) {
    observers.push_back(chosen);
    schedule = chosen.get();
}

bool Launch::has_ended() {
    bool ended = true;
    for (const auto& each : observers) ended &= each->ended(*this);
    return ended;
}

void Launch::forget_observers() {
    observers.clear();
    schedule = nullptr;
    tells_executed = false;
}

void Launch::record(Core& core, Fault made) {
    std::lock_guard lock(mutex);
    if (!fault || core.unit < fault_unit) {
        fault = std::move(made);
        fault_unit = core.unit;
    }
    cancelled = true;
    notify();
}

void Launch::note(Fault made) {
    std::lock_guard lock(mutex);
    notes.push_back(std::move(made));
}

void Launch::notify() {
    progress++;
    if (sleepers) futex_wake(progress);
}

void Launch::finish() {
    if (with_ranks()) check_hccl(*this);
    if (fault || !armed()) return;
    for (int32_t unit = 0; unit < units; unit++) {
        const int64_t id = cross.left_over(unit);
        if (ACLIMB_LIKELY(id < 0)) continue;
        Fault made;
        made.kind = "cross_flag_left";
        made.pc = reinterpret_cast<uint64_t>(cross.site(unit, static_cast<int>(id)));
        made.instruction = api_of(Op::cross_set);
        made.sub = cross.setter(unit, static_cast<int>(id));
        made.number("id", id).number("value", cross.value(unit, static_cast<int>(id)));
        refuse_at_end(std::move(made), unit);
        if (fault) return;
    }
}

uint64_t Launch::meeting(int32_t group, int32_t sub) const {
    for (const RankMeeting& each : meetings)
        if (each.group == group && each.sub == sub) return each.number;
    return 0;
}

void Launch::refuse_at_end(Fault made, int32_t unit) {
    int32_t sub;
    place_unit(*this, unit, made.core_type, made.block, sub);
    made.core_idx = made.block * (made.core_type == CoreType::AIV ? aivs_per_block(kernel->type) : 1) + sub;
    made.chip_runs = true;
    if (lax) went_on(std::move(made), unit);
    else fault = std::move(made);
}

bool Launch::alone() const {
    return units == 1 || one_worker || with_ranks() || kernel->in_block_order || schedule || !kernel->block_local[0].empty() ||
           !kernel->block_local[1].empty();
}

namespace {

// Until the scheduler comes back to its scalar unit. Under a schedule its pipes may go on before that.
void leave_to_others(Core& core) {
    aclimb_switch(&core.sp, core.worker->scheduler_sp);
    while (ACLIMB_UNLIKELY(core.scheduled) && core.asked.drain) {
        core.asked.drain = false;
        core.asked.drained = drain_while_blocked(core);
        aclimb_switch(&core.sp, core.worker->scheduler_sp);
    }
}

} // namespace

void block_core(Core& core, std::unique_lock<std::mutex>& lock) {
    Launch& launch = *core.launch;
    const Wait why = core.wait;
    core.state = CoreState::blocked;
    launch.waiting.push_back(&core);
    launch.blocked++;
    if (ACLIMB_UNLIKELY(launch.servers_waiting)) wake_server_of(core); // it no longer waits for this AIV to call first
    if (ACLIMB_LIKELY(!core.scheduled)) check_hang(launch);
    lock.unlock();
    leave_to_others(core);
    for (const auto& each : launch.observers) each->waited(core, why);
}

void wake_core(Core& core) {
    Launch& launch = *core.launch;
    std::erase(launch.waiting, &core);
    launch.blocked--;
    core.wait.kind = Wait::none;
    core.state = CoreState::ready;
    launch.notify();
}

void yield_core(Core& core) {
    core.state = CoreState::ready;
    leave_to_others(core);
}

std::string describe_unit(const Launch& launch, int32_t unit) {
    CoreType type;
    int64_t block;
    int32_t sub;
    place_unit(launch, unit, type, block, sub);
    const int ratio = type == CoreType::AIV ? aivs_per_block(launch.kernel->type) : 1;
    return std::string(name_of(type)) + " " + std::to_string(block * ratio + sub);
}

const RankWindow* window_at(const Launch& launch, uint64_t addr, uint64_t span) {
    for (const auto& rank : launch.ranks)
        if (rank)
            if (const RankWindow* found = rank->group->window_at(addr, span)) return found;
    return nullptr;
}

} // namespace aclimb
