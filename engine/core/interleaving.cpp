// SPDX-License-Identifier: Apache-2.0
#include "core/interleaving.h"

#include "aclimb/op.h"
#include "core/issue.h"
#include "core/launch.h"

namespace aclimb {
namespace {

// Whether the schedule in late mode holds this record back.
bool is_held(const Core& core, int pipe) { return !core.fused || origin_of(core.queues[pipe]).set; }

// Every pipe stands, one of them at a set whose counter is full: until another core takes from it. False: none does.
bool wait_for_room(Core& core) {
    const PipeQueue* set = standing_set(core);
    if (!set) return false;
    Launch& launch = *core.launch;
    std::unique_lock lock(launch.mutex);
    core.wait = {Wait::cross_room, effect_of_first(core, *set).id, 0, 0, 0, 0};
    launch.setters_waiting++;
    block_core(core, lock);
    launch.setters_waiting--; // one worker: nobody else looks
    return true;
}

} // namespace

// As late as may be: other pipes only as far as those that are waited for need them.
bool Interleaving::run_wanted(Core& core, const Need& need) {
    const uint8_t wanted =
        need.pipes | (need.set ? 1 << static_cast<int>(need.set->src) : 0) | (need.taken ? 1 << static_cast<int>(need.taken->dst) : 0);
    bool progress = false;
    for (int pipe = 0; pipe < kPipes; pipe++)
        while (wanted >> pipe & 1 && !need.is_met(core) && run_one(core, pipe)) progress = true;
    return progress;
}

bool Interleaving::run_until(Core& core, const Need& need) {
    for (bool progress = true; progress && !need.is_met(core);) {
        progress = mode == late && need.pipes != kAllPipes && run_wanted(core, need);
        if (progress) continue;
        const int from = mode == random ? static_cast<int>(below(kPipes)) : 0;
        for (int i = 0; i < kPipes && !need.is_met(core); i++) progress |= run_one(core, (from + i) % kPipes);
        if (!progress && !need.is_met(core)) progress = wait_for_room(core);
    }
    return need.is_met(core);
}

void Interleaving::run_some(Core& core, int most) {
    int ran = 0, tries = 0;
    while (ran < most && core.pending && tries < 3 * kPipes) {
        if (run_one(core, static_cast<int>(below(kPipes)))) ran++;
        else tries++;
    }
}

// What the schedule lets run right behind an instruction that was queued.
void Interleaving::run_on(Core& core) {
    switch (mode) {
    case early: return run_all(core);
    case late:
        if (is_long(core)) return run_all(core);
        for (bool progress = true; progress;) {
            progress = false;
            for (int pipe = 0; pipe < kPipes; pipe++)
                while (!core.queues[pipe].empty() && !is_held(core, pipe) && run_one(core, pipe)) progress = true;
        }
        return;
    case random:
        if (below(2)) run_some(core, static_cast<int>(below(6)));
        if (below(16) == 0) yield_core(core);
    }
}

// What the scalar unit does at once, after those it has to wait for.
void Interleaving::run_on_scalar(Core& core, Head& head) {
    if (!run_until(core, need_of(core, head)) && is_stopped_by(core, head)) fail_unmet(core, head);
    execute_record(core, head);
}

Observer::Then Interleaving::issued(Core& core, Head& head) {
    if (head.pipe == Pipe::S || head.pipe == Pipe::ALL) {
        run_on_scalar(core, head);
        return Then::taken;
    }
    run_until(core, need_of(core, head));
    defer(core, &head);
    run_on(core);
    return Then::taken;
}

int Interleaving::drain(Core& core) {
    const int from = mode == random ? static_cast<int>(below(kPipes)) : 0;
    for (int i = 0; i < kPipes; i++)
        if (run_one(core, (from + i) % kPipes)) return 1;
    return 0;
}

} // namespace aclimb
