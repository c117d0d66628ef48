// SPDX-License-Identifier: Apache-2.0
// Which instruction has ended before another begins: the agents of one core, and what flags, barriers and other cores tell them. A pure
// model: it is told what is issued and what runs, in any order that the rules allow, and gives the same answer for each of them.
//
//   issue of x      the clock of the scalar unit's control is kept with x
//   x runs on p     p begins x behind that, and behind whatever p has waited for; p is not ordered with itself
//   set p->q        everything of p so far, and what p has waited for; p itself goes on
//   wait p->q       q's later instructions begin behind the set; q = S: everything issued later does
//   barrier p       p's later instructions begin behind its earlier ones
//   barrier of all  everything issued later begins behind everything of the core, but for what the data cache still holds
#pragma once
#include <vector>

#include "aclimb/abi.h"
#include "check/clock.h"
#include "check/fifo.h"

namespace aclimb::check {

inline Agent agent_of(Pipe pipe) { return static_cast<Agent>(pipe); }

struct SyncMark { // a set, wait or barrier that ran, for messages: what order there was
    enum Kind : uint8_t { set, wait, barrier, cross_set, cross_wait, other } kind = other;
    Pipe src = Pipe::S, dst = Pipe::S;
    uint8_t id = 0, mode = 0;
    uint32_t site = 0;
    Clock issued{}; // how many instructions each agent had got by then
};

class CoreOrder {
  public:
    // How often it is called on a pipe for each record of it: issued() once, then begin() or one of the others once.
    void issued(Pipe pipe);
    // A record comes to run: what has ended before it. The reference stays valid until the next call.
    Start& begin(Agent agent);
    uint32_t count(Agent agent) { return ++number_[agent]; } // the number of the record that begins
    uint32_t issued_so_far(Agent agent) const { return number_[agent]; }
    uint32_t scalars_before() const { return scalars_before_; } // of the record that begins: scalar accesses that the program has before it

    void set_flag(Pipe src, Pipe dst, int id);
    bool wait_flag(Pipe src, Pipe dst, int id); // false: nobody has set it, which the engine reports by itself
    bool is_set(Pipe src, Pipe dst, int id) const;
    void barrier(Pipe pipe);
    void barrier_all();
    Start signal(Pipe pipe); // what a set on this pipe says
    void hear(const Start& what) {
        control_.join(what);
        touched_++;
    }
    Start& control() { return control_; }
    void changed() { touched_++; } // control() was
    Start& of(Agent agent) { return start_[static_cast<size_t>(agent)]; }
    const Clock& numbers() const { return number_; }
    void number_past(Agent agent, uint32_t count) { number_[agent] = std::max(number_[agent], count); }

  private:
    struct Stamp {
        Start start;
        uint64_t touched; // of the control's clock at that moment
        uint32_t scalars; // accesses of the scalar unit so far
        uint32_t records;
    };
    Start take_stamp(Pipe pipe);

    Clock number_; // instructions of each agent so far
    Start control_, start_[kAgents];
    uint64_t touched_ = 0;
    uint32_t scalars_before_ = 0;
    Fifo<Stamp> stamps_[kPipes];
    struct Set {      // that no wait has taken
        uint32_t key; // pipes and id
        Start said;
    };
    std::vector<Set> sets_; // a handful, in the order they ran
};

} // namespace aclimb::check
