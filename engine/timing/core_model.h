// SPDX-License-Identifier: Apache-2.0
// One core in time: its scalar unit walks the tape and fills the queues of the pipes; each pipe takes its queue in order.
//
// A pipe has two clocks: `free`, when it can take the next instruction, and `done`, when all it took has had its effect. Flags fire at
// `done`. `ready` is how far the waits in its queue hold it back, `cursor` how far its time is accounted for.
#pragma once
#include <array>

#include "timing/memory_system.h"

namespace aclimb::timing {

constexpr uint32_t kMaxDepth = 64;

struct PipeModel {
    struct Slot {
        uint32_t index;
        Time arrival;
    };
    uint32_t pushed = 0, popped = 0;
    std::array<Slot, kMaxDepth> slots;
    std::array<Time, kMaxDepth> departed; // when the last entries left the queue
    Time free = 0, done = 0, ready = 0, cursor = 0;
    Time served = 0;      // when memory had all of its last transfer
    bool serving = false; // its transfer is with the memory system
    Transfer transfer;
    PipeTiming* sum = nullptr;

    bool empty() const { return pushed == popped; }
    bool idle() const { return empty() && !serving; }
    const Slot& head() const { return slots[popped % kMaxDepth]; }
    void leave(Time when) { departed[popped++ % kMaxDepth] = when; }
    // The time up to `until` went to `part`; how much of it was not accounted for before.
    Time account(Time until, Part part) {
        if (until <= cursor) return 0;
        const Time spent = until - cursor;
        sum->part[static_cast<int>(part)] += spent;
        cursor = until;
        return spent;
    }
};

// SetFlags that have fired and wait for their WaitFlag. The n-th set belongs to the n-th wait.
struct FlagQueue {
    static constexpr uint32_t kNobody = ~0u;
    struct Fired {
        Time when;
        uint32_t index; // of the SetFlag; kNobody: of a buffer that is not there
    };
    std::vector<Fired> fired;
    size_t taken = 0;
};

struct CoreModel {
    const Tape* tape = nullptr;
    Result* results = nullptr; // null: no trace
    CoreTiming* timing = nullptr;
    uint32_t at = 0; // position of the scalar unit in the tape
    Time now = 0;    // its time
    bool reading = false;
    bool running = false;
    bool called = false; // a sub-kernel of a fused kernel
    PipeModel pipes[kPipes];
    std::array<FlagQueue, kPipes * kPipes * kEventIds> flags;
    std::vector<uint64_t> dcache; // tags by set and way; 64-byte lines
    uint32_t dcache_clock = 0;
    std::vector<uint32_t> dcache_used;

    void begin(const Tape& tape, CoreTiming& timing, Result* results, Time start);
    void add_buffers(Time start); // flags that say "free" are set once more
    bool drained() const;         // every pipe but the scalar unit
    Time all_done() const;
    bool dcache_hit(uint64_t addr); // and is there from now on
    void dcache_drop(uint64_t addr, bool all);
    FlagQueue& flag(uint32_t code);
};

} // namespace aclimb::timing
