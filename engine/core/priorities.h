// SPDX-License-Identifier: Apache-2.0
// Schedules by priority. Agents are the scalar unit and the pipes of each core; a step lets one of them do one thing: the scalar unit
// issue a record or pass a wait, a pipe run its first record. It is always the turn of the agent with the highest rank among those that
// can do something. What that makes of a kernel depends on the ranks:
//
//   extremes   one kind of agent, or one core, behind or before all others
//   by chance  all ranks at random, and at some steps the agent whose turn it is falls behind all others. An order that takes d
//              constraints to go wrong is met with a probability of at least 1/(n k^(d-1)), n agents and k steps
//              (Burckhardt et al., A randomized scheduler with probabilistic guarantees of finding bugs, 2010)
//
// State map
//   units_      each core: the ranks of its agents, which pipes stand at a wait, whether its scalar unit waits for them or polls
//   others_     the best rank of all other cores than `of_`, while nothing has changed for them
//   steps_, fingerprint_   how many steps there were, and a number that two runs share only if they took the same ones
#pragma once
#include <vector>

#include "core/schedule.h"

namespace aclimb {

struct PriorityRules {
    enum Kind : uint8_t {
        late,       // agents of kind `pipe` run only when nothing else can, flags before data; all others as soon as they may
        early,      // agents of kind `pipe` run as soon as they may, the scalar unit goes on, other pipes run only when nothing else can
        late_core,  // everything of these cores, last
        early_core, // ... first
        reverse,    // cores in descending order
        chance      // by `seed`, with change points
    };
    Kind kind = late;
    Pipe pipe = Pipe::S;        // S: the scalar unit
    std::vector<int32_t> units; // which cores; none: all
    uint64_t seed = 0;
    std::vector<uint64_t> changes; // steps after which the agent that took them falls behind all others, ascending
};

class Priorities : public Schedule {
  public:
    using Rank = int64_t;
    static constexpr Rank kNobody = INT64_MIN;
    struct Turn {
        Rank rank = kNobody;
        int32_t unit = -1;
        int agent = 0; // as Pipe; S is the scalar unit
    };

    explicit Priorities(PriorityRules rules) : rules_(std::move(rules)) {}
    void launched(Launch& launch) override;
    void begins(Core& core) override { of(core).core = &core; }
    Then issued(Core& core, Head& head) override;
    int drain(Core& core) override;
    void polls(Core& core, uint64_t addr) override;
    Priorities* priorities() override { return this; }

    // For the scheduler.
    Turn best();                                                                         // of all agents; unit -1: none can do anything
    Core* core_of(int32_t unit) const { return units_[static_cast<size_t>(unit)].core; } // null: not started
    virtual void ended(int32_t unit) { units_[static_cast<size_t>(unit)].ended = true; }
    virtual bool relent() { return false; } // nobody can do anything: whether something that was held back goes on now
    bool give_up();                         // ... and it is a core that waits for its own pipes: it will say so. False: none does

    const PriorityRules& rules() const { return rules_; }
    uint64_t steps() const { return steps_; }
    uint64_t fingerprint() const { return fingerprint_; }
    int agents() const;                                            // that took a step
    void adopt(uint64_t steps, uint64_t fingerprint, int agents) { // of a launch in another process
        steps_ = steps;
        fingerprint_ = fingerprint;
        agents_ = agents;
    }

  protected:
    struct Unit {
        Core* core = nullptr;
        Rank rank[kPipes] = {};
        uint8_t stands = 0, stands_at_cross = 0; // pipes whose first record cannot run; of them those at a cross-core set
        uint8_t held_back = 0;                   // pipes that run only when nothing else can, and flags before data
        uint8_t stepped = 0;                     // agents that took a step
        bool ended = false, waits = false, gives_up = false, polling = false;
        uint64_t polled_addr = 0, polled_at = 0, seen = 0; // polling: since changes_ was `seen`
    };
    // What a schedule that steers single instructions hears.
    virtual void comes_to(Core&, const Head&) {}             // the scalar unit, to this record: before it is issued
    virtual bool keeps(Core&, const Head&) { return false; } // what the scalar unit would do at once
    virtual void queued(Core&, int) {}                       // something new in the queue of a pipe
    virtual void ran(Core&, const Head&, int) {}             // a record of that agent
    void hold(int32_t unit, int agent) {
        held_ = {0, unit, agent};
        news_ = true;
    } // it does nothing until release()
    void prefer(int32_t unit) { preferred_ = unit, news_ = true; } // before all others; -1: none
    void release() {
        held_ = {};
        news_ = true;
    }
    bool is_holding() const { return held_.unit >= 0; }
    bool holds(int32_t unit, int agent) const { return held_.unit == unit && held_.agent == agent; }

    Unit& of(const Core& core) { return units_[static_cast<size_t>(core.unit)]; }
    Launch* launch_ = nullptr;
    std::vector<Unit> units_;
    uint64_t steps_ = 0;

  private:
    void rank_all();
    Rank rank_of(int32_t unit, int agent, bool concerned) const;
    uint8_t enabled(int32_t unit) const;
    Turn best_of(int32_t unit) const;
    Rank best_of_others(int32_t unit);
    bool wait_turn(Core& core, const Need& need, const Head* head);
    bool run(Core& core, int pipe);
    void told(Core& core, const Head& head, const Effect& effect, int agent);
    void run_dry(Core& core);
    void step(int32_t unit, int agent);
    void retry_cross();

    const PriorityRules rules_;
    Turn held_;
    int32_t preferred_ = -1;
    Rank others_ = kNobody, lowest_ = 0;
    int32_t of_ = -1;
    uint32_t progress_ = 0; // of the launch, when others_ was looked up
    bool news_ = true;      // for other cores
    int standing_ = 0;      // pipes at a cross-core set
    int pollers_ = 0;
    uint64_t changes_ = 0, polls_ = 0; // of global memory; polls so far
    uint64_t fingerprint_ = 0;
    int agents_ = -1; // elsewhere; -1: it ran here
    size_t next_change_ = 0;
};

} // namespace aclimb
