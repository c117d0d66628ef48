// SPDX-License-Identifier: Apache-2.0
// Adversarial schedules. The default run executes an instruction when it is issued; hardware may do so much later. Under a schedule
// records wait in the queues of their pipes, and the schedule decides which runs next, within what flags, barriers and queues allow.
#pragma once
#include <cstdint>

#include "core/core.h"
#include "core/observer.h"

namespace aclimb {

struct Schedule final : Observer {
    enum Mode : uint8_t {
        late = 1,  // in a fused kernel what follows SetNextTaskStart, in any other every record, runs as late as it may; cores in order
        early = 2, // each core goes on (into the next sub-kernel) as far as it may before another starts; cores in reverse order
        random = 3 // any legal interleaving, by seed
    };
    const Mode mode;
    uint64_t state; // of the generator

    Schedule(Mode mode, uint64_t seed) : mode(mode), state(seed) {}
    Then issued(Core& core, Head& head) override;

    uint32_t below(uint32_t limit) { // xorshift64*
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        return static_cast<uint32_t>((state * 0x2545F4914F6CDD1Dull) >> 33) % limit;
    }
};

int run_some(Core& core, int most);         // records of its queues; how many ran
const Head* standing_set(const Core& core); // first of a queue: when nothing can run, a set whose cross-core counter is full
uint8_t cross_flag_of(const Core& core, const Head& set);
int drain_while_blocked(Core& core);
void end_scheduled(Core& core); // the program has ended, its pipes may not have

} // namespace aclimb
