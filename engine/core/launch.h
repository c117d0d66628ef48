// SPDX-License-Identifier: Apache-2.0
// One launch: its cores as coroutines over the workers that take part.
//
// State map
//   next              the next core that nobody has started
//   blocked, finished under `mutex`; when they add up to all cores, nothing can run any more: a hang, reported at once
//   cross             flags between cores
//   progress          counts wake-ups; a worker that has only blocked cores sleeps on it
#pragma once
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/core.h"
#include "core/cross_core.h"
#include "core/launch_request.h"
#include "core/mail.h"
#include "core/observer.h"
#include "ranks/ranks.h"

namespace aclimb {

class RankWatch;
class Schedule;

// With the other ranks, at their communication server.
struct RankMeeting {
    int32_t group, sub; // which of the device's groups; the sub-kernel that communicates, -1 where there are none
    uint64_t number;
};

struct Launch : LaunchRequest {
    const ChipLimits* chip = nullptr;
    GlobalMemory* memory = nullptr;
    std::shared_ptr<const Rank> ranks[kRankGroups]; // what the device is in its groups
    RankWatch* rank_watch = nullptr;                // of a launch with ranks, while it runs
    std::vector<RankMeeting> meetings;
    bool lax = false; // what came of the strictness asked for: as lax as hardware

    std::vector<std::shared_ptr<Observer>> observers; // asked in this order; one that takes a record is the last to see it
    Schedule* schedule = nullptr;                     // the one among them that decides when records run
    bool tells_executed = false;                      // one of them wants to know

    std::vector<AddressSpan> spans; // of device memories, the own first; where the kernel is observed

    int32_t units = 0; // cores that take part: every block's AIC first, then its AIVs
    uint64_t id = 0, started_ns = 0;
    std::atomic<uint64_t> helpers_at_ns{0}; // from then on, sleeping threads are worth waking:
    void (*call_helpers)() = nullptr;
    std::atomic<bool> waiter_came{false}; // a thread that waits for the launch, soon after its start
    std::atomic<int32_t> next{0};
    std::atomic<bool> cancelled{false};
    std::atomic<uint32_t> progress{0}, sleepers{0};

    std::mutex mutex;
    int32_t blocked = 0, finished = 0;
    int32_t setters_waiting = 0; // for room in a cross-core counter
    int32_t servers_waiting = 0; // AICs that wait for messages
    std::vector<Core*> waiting;
    CrossCore cross;
    Mail mail;
    std::optional<Fault> fault;
    int32_t fault_unit = 0;
    std::vector<Fault> notes; // warnings, and where a lax launch went on
    struct Feed {
        uint32_t index[2] = {0, 0}; // SyncAlls begun on AIC, AIV
        bool mixed[2] = {false, false}, ended[2] = {false, false};
    };
    std::vector<Feed> feeds; // by sub-kernel
    // What WaitPreBlock and GroupBarrier count, by the address of their workspace.
    std::map<uint64_t, int64_t> turns; // NotifyNextBlocks so far: whose turn it is
    struct Group {
        std::vector<int64_t> arrived, waited; // how often, by index
    };
    std::map<uint64_t, Group> groups;
    std::vector<std::string> output; // by core, joined in core order at the end

    void prepare(); // everything derived from kernel and num_blocks; before the first run_cores
    void find_spans();
    void observe(std::shared_ptr<Observer> observer);
    void follow(const std::shared_ptr<Schedule>& chosen); // it takes what is issued, so it comes behind all observers
    bool has_ended();                                     // tells them; false: one of them wants it to run again
    void forget_observers();
    void record(Core& core, Fault fault);
    void note(Fault fault); // a warning
    bool has_note(uint64_t pc, int32_t unit);
    void went_on(Fault fault, int32_t unit);       // strict would have ended that core
    void refuse_at_end(Fault fault, int32_t unit); // what a chip would not notice of a core that has ended
    std::vector<Fault> take_notes();
    bool armed() const { return lax || has_cross_core(kernel->type); } // flags between cores work
    void finish();                                                     // after the last core: flags between cores that were left set
    void notify();                                                     // something changed for those who wait
    uint64_t meeting(int32_t group, int32_t sub) const;                // its number; 0: there is none yet
    bool with_ranks() const { return ranks[0] || ranks[1]; }
    bool alone() const;      // no second worker may help
    bool one_worker = false; // ... because somebody wants the same run each time, also of cores that race
};

// Runs cores of the launch on this thread until there is nothing left for it to do.
void run_cores(Launch& launch);

// For instructions that make the scalar unit wait. Called with launch.mutex held; returns with it released, when the core may go on.
void block_core(Core& core, std::unique_lock<std::mutex>& lock);
void wake_core(Core& core);                                        // launch.mutex held
void wake_server_of(Core& core);                                   // an AIC that waits for messages of this AIV; launch.mutex held
template <class Ready> void wake_all(Launch& launch, Ready ready); // those of them that are; launch.mutex held
void yield_core(Core& core);                                       // lets the other cores of this worker run

template <class Ready> void wake_all(Launch& launch, Ready ready) {
    size_t kept = 0;
    const size_t before = launch.waiting.size();
    for (Core* core : launch.waiting)
        if (ready(*core)) {
            core->wait.kind = Wait::none;
            core->state = CoreState::ready;
        } else {
            launch.waiting[kept++] = core;
        }
    launch.waiting.resize(kept);
    launch.blocked -= static_cast<int32_t>(before - kept);
    if (kept != before) launch.notify();
}

std::string describe_unit(const Launch& launch, int32_t unit); // "AIV 3"

// The window of another rank, or of its own, that an address of this launch lies in; null: in none.
const RankWindow* window_at(const Launch& launch, uint64_t addr, uint64_t span);
void check_hccl(Launch& launch); // what its kernel left open with the communication server (sync/hccl.cpp)

} // namespace aclimb
