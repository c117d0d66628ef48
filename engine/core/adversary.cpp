// SPDX-License-Identifier: Apache-2.0
// Adversarial schedules: one worker, which chooses what goes on.
#include <algorithm>

#include "core/hang.h"
#include "core/interleaving.h"
#include "core/priorities.h"
#include "core/scheduler.h"

namespace aclimb {

void Scheduler::run_scheduled() {
    launch_.next = launch_.units;
    if (Priorities* order = launch_.schedule->priorities()) run_by_priority(*order);
    else run_interleaved();
    if (!launch_.cancelled) {
        std::lock_guard lock(launch_.mutex);
        check_hang(launch_);
    }
    for (Core* core : mine_) return_core(worker_, core); // only when the launch is cancelled
    mine_.clear();
}

// --- by priority

void Scheduler::run_by_priority(Priorities& order) {
    while (!launch_.cancelled) {
        const Priorities::Turn turn = order.best();
        if (turn.unit >= 0) take_turn(order, turn);
        else if (!order.relent() && (mine_.empty() || !resume_to_give_up(order))) break;
    }
}

void Scheduler::take_turn(Priorities& order, const Priorities::Turn& turn) {
    Core* core = order.core_of(turn.unit);
    if (!core) {
        start(turn.unit);
        if (mine_.empty() || mine_.back()->unit != turn.unit) order.ended(turn.unit);
    } else if (turn.agent != static_cast<int>(Pipe::S)) {
        drained(core);
        if (std::find(mine_.begin(), mine_.end(), core) == mine_.end()) order.ended(turn.unit);
    } else {
        resume(core);
        if (!settle(core)) return;
        std::erase(mine_, core);
        order.ended(turn.unit);
    }
}

// A core that waits for its own pipes says so, or one whose program has ended. False: nobody can, and it is a hang of several cores.
bool Scheduler::resume_to_give_up(Priorities& order) {
    if (order.give_up()) return true;
    for (Core* core : mine_)
        if (core->wait.kind == Wait::tail) {
            core->asked.give_up = true;
            drained(core);
            return true;
        }
    return false;
}

// --- as an interleaving

void Scheduler::run_interleaved() {
    auto& schedule = static_cast<Interleaving&>(*launch_.schedule);
    std::vector<int32_t> fresh(static_cast<size_t>(launch_.units));
    for (int32_t i = 0; i < launch_.units; i++) fresh[static_cast<size_t>(i)] = i;
    const bool random = schedule.mode == Interleaving::random;
    std::vector<Choice> choices;
    while (!launch_.cancelled && (!fresh.empty() || !mine_.empty())) {
        choices.clear();
        for (Core* core : mine_)
            if (core->state == CoreState::ready) choices.push_back({Action::resume, core->unit, core});
        for (int32_t unit : fresh) choices.push_back({Action::start, unit, nullptr});
        if (random || choices.empty())
            for (Core* core : mine_)
                if (core->state == CoreState::blocked && core->pending) choices.push_back({Action::drain, core->unit, core});
        if (choices.empty()) break;
        take(choices, fresh);
    }
}

void Scheduler::take(std::vector<Choice>& choices, std::vector<int32_t>& fresh) {
    auto& schedule = static_cast<Interleaving&>(*launch_.schedule);
    if (schedule.mode == Interleaving::random) {
        std::swap(choices[0], choices[schedule.below(static_cast<uint32_t>(choices.size()))]);
    } else {
        const bool reversed = schedule.mode == Interleaving::early;
        auto before = [&](const Choice& a, const Choice& b) { return reversed ? a.unit > b.unit : a.unit < b.unit; };
        std::sort(choices.begin(), choices.end(), before);
        // A core that let others go first, because it polls, gets its turn after them.
        const auto after = std::find_if(choices.begin(), choices.end(), [&](const Choice& each) { return before(yielded_, each); });
        if (yielded_.unit >= 0 && after != choices.end()) std::swap(choices[0], *after);
    }
    if (choices[0].action != Action::drain) {
        go_on(choices[0], fresh);
        return;
    }
    // Where nothing else can go on, some pipe has to; when none can, that is a hang.
    for (const Choice& choice : choices)
        if (choice.action != Action::drain || drained(choice.core)) return;
    give_up(choices);
}

void Scheduler::go_on(const Choice& choice, std::vector<int32_t>& fresh) {
    if (choice.action == Action::start) {
        std::erase(fresh, choice.unit);
        start(choice.unit);
        return;
    }
    resume(choice.core);
    yielded_.unit = choice.core->state == CoreState::ready ? choice.unit : -1;
    if (settle(choice.core)) std::erase(mine_, choice.core);
}

// On the core's own stack: an instruction may fail.
bool Scheduler::drained(Core* core) {
    core->asked.drain = true;
    core->asked.drained = 0;
    hand_over(core);
    const int ran = core->asked.drained;
    if (core->state != CoreState::blocked && core->state != CoreState::ready && settle(core)) {
        std::erase(mine_, core);
        return true;
    }
    return ran > 0;
}

void Scheduler::give_up(const std::vector<Choice>& choices) {
    for (const Choice& choice : choices)
        if (choice.core->wait.kind == Wait::tail) { // the pipes of a core that has ended: its own flags are at fault
            choice.core->asked.give_up = true;
            drained(choice.core);
            return;
        }
    std::lock_guard lock(launch_.mutex);
    check_hang(launch_);
    launch_.cancelled = true;
}

} // namespace aclimb
