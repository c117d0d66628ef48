// SPDX-License-Identifier: Apache-2.0
// What a record orders, stated once: which pipes have to be done before it, what it waits for, what it signals, and how the compiler and
// the data cache come into it. Execution, schedules, checker, proof, timing and logs read these fields; nobody else looks at the
// instruction's number for that. Which bytes it touches is the other half: ranges_of (isa/ranges.h).
#pragma once
#include <map>

#include "isa/rows.h"

namespace aclimb {

constexpr uint8_t kAllPipes = 0xff;
constexpr uint8_t bit_of(Pipe pipe) { return static_cast<uint8_t>(1u << static_cast<unsigned>(pipe)); } // in a set of pipes

// Through what two instructions meet.
enum class Meet : uint8_t {
    nothing,
    flag,  // two pipes of a core: src, dst, id
    cross, // cores, through counters: mode, id
    box,   // one core and another: what the first puts there first, the other takes first
    round, // cores: all that signal a round, and all that wait for it
    word   // cores: a word of global memory, stored and polled past the data cache
};

struct Effect {
    Meet waits = Meet::nothing, signals = Meet::nothing;
    Pipe src = Pipe::S, dst = Pipe::S;
    uint8_t mode = 0, id = 0;
    uint8_t after = 0; // pipes that have nothing left to do before it runs, or is queued; a bit each
    uint8_t scope = 0; // of DataSyncBarrier: MemDsbT
    // A box or a round: where, and its number from 1; 0: it is there already. effect_of gives that of the core's first time at that place,
    // and how much later ones add; Rounds counts.
    uint64_t waits_at = 0, signals_at = 0;
    uint32_t round = 0, step = 0;
    uint32_t arrivals = 0; // signals that make a round

    bool is_barrier : 1 = false; // what is issued later begins behind all that the pipes of `after` did
    bool is_soft : 1 = false;    // cores meet through words of global memory: a GmSync
    bool restarts : 1 = false;   // the rounds at signals_at begin anew
    // An access of the scalar unit
    bool loads : 1 = false, stores : 1 = false;
    bool reads_results : 1 = false; // of registers that V leaves
    bool is_listed : 1 = false;     // the compiler orders it against V, MTE2 and MTE3
    bool is_raw : 1 = false;        // through a plain pointer
    bool passes_cache : 1 = false;
    bool flushes : 1 = false;           // in a SuperKernel: its line of the data cache before a load, behind a store
    bool is_system : 1 = false;         // of the system's own words
    bool cleans : 1 = false;            // DataCacheCleanAndInvalid
    bool is_scalar_barrier : 1 = false; // DataSyncBarrier
    bool reads_clock : 1 = false;
    // The cube
    bool has_unit_flag : 1 = false; // Mmad, Fixpipe: ordered by blocks of L0C
    bool follows_sums : 1 = false;  // an Mmad that may follow the one before, whose sums it goes on with
    // A SuperKernel
    bool is_early_set : 1 = false, is_early_wait : 1 = false; // SetNextTaskStart, WaitPreTaskEnd
    bool is_of_plan : 1 = false;                              // a flag between two members
    bool is_boundary : 1 = false;                             // a member begins or ends

    bool is_access() const { return (loads || stores) && !is_system; }
    bool only_signals() const { return signals != Meet::nothing && waits == Meet::nothing && !is_soft && !stores; }
    bool meets_by_count() const { return step != 0 || restarts; }
    bool operator==(const Effect&) const = default;
    bool orders() const { return waits != Meet::nothing || signals != Meet::nothing || is_barrier || is_scalar_barrier; }
};

// Who issues a record.
struct Actor {
    const CoreView& view;
    int32_t unit = 0, first_unit = 0, first_aiv = 0; // in its launch; the others: of its block
    int64_t core_idx = 0;                            // among the cores of its kind
};

// Of a record that its instruction accepts. SetNextTaskStart signals only where a plan says so: the core adds that (core/effect.cpp).
Effect effect_of(const Actor& actor, const Head& head);
inline bool orders_nothing(const Row& row) { return row.kind == Class::vector || (row.kind == Class::move && row.pipe != Pipe::S); }

// How often one core has signalled and waited at each place.
class Rounds {
  public:
    void count(Effect& effect); // once for each record that runs
    void clear() { places_.clear(); }

  private:
    struct Place {
        uint32_t signals = 0, waits = 0, begun = 0;
    };
    std::map<uint64_t, Place> places_;
};

} // namespace aclimb
