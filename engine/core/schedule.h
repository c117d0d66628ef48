// SPDX-License-Identifier: Apache-2.0
// Adversarial schedules. The default run executes an instruction when it is issued; hardware may do so much later. Under a schedule
// records wait in the queues of their pipes, and the schedule decides which runs next, within what flags, barriers and queues allow.
//
//   Interleaving  the seeds of old: as late as may be, cores in reverse order, or by chance       interleaving.h
//   Priorities    whoever has the highest priority of those who can: extremes, and by chance       priorities.h
//   Directed      one instruction behind another one, to show what then comes out                  directed.h
//
// A launch with a schedule runs on one worker, so that the same schedule gives the same steps.
#pragma once
#include <cstdint>

#include "core/core.h"
#include "core/observer.h"

namespace aclimb {

class Priorities;

class Schedule : public Observer {
  public:
    virtual void begins(Core&) {}                        // no instruction has been issued there
    virtual int drain(Core& core) = 0;                   // asked by the scheduler of a core that stands still: how many of its records ran
    virtual void polls(Core&, uint64_t) {}               // it reads this address again and again, and lets others go first
    virtual Priorities* priorities() { return nullptr; } // how the scheduler chooses; null: as an Interleaving does
};

// What the scalar unit waits for before it does something at once.
struct Need {
    uint8_t pipes = 0;                           // with nothing left to do
    const Flag *set = nullptr, *taken = nullptr; // a flag that has been set, or is free again

    bool is_met(const Core& core) const;
};
Need need_of(Core& core, const Head& head);        // of a record of pipe S, or of all pipes; of any other, before it is queued
constexpr int kScalar = static_cast<int>(Pipe::S); // whoever issues, among the pipes

bool conflicts(const Core& core, const Head& head, const ScalarAccess& access); // a common byte, and one of them writes

[[noreturn]] void fail_unmet(Core& core, const Head& head); // nothing can happen that would meet its need; see is_stopped_by
bool is_stopped_by(const Core& core, const Head& head);     // the schedule has to say so: its instruction would not

bool run_one(Core& core, int pipe); // the first record of a queue; false: it is empty, or stands at a wait
bool is_long(const Core& core);     // no pipe holds this much back on a chip either; and it would need memory for all of it
const Head& first_of(const PipeQueue& queue);
const Origin& origin_of(const PipeQueue& queue);

Effect effect_of_first(const Core& core, const PipeQueue& queue);
// A queue that begins with a set for other cores: when nothing can run, its counter is full. Null: none does.
const PipeQueue* standing_set(const Core& core);
int drain_while_blocked(Core& core);
void end_scheduled(Core& core); // the program has ended, its pipes may not have

} // namespace aclimb
