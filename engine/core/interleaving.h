// SPDX-License-Identifier: Apache-2.0
// Schedules that a seed stands for: two extremes, and any legal interleaving by chance.
#pragma once
#include "core/schedule.h"

namespace aclimb {

class Interleaving final : public Schedule {
  public:
    enum Mode : uint8_t {
        late = 1,  // in a fused kernel what follows SetNextTaskStart, in any other every record, runs as late as it may; cores in order
        early = 2, // each core goes on (into the next sub-kernel) as far as it may before another starts; cores in reverse order
        random = 3 // any legal interleaving, by seed
    };
    const Mode mode;

    Interleaving(Mode mode, uint64_t seed) : mode(mode), state_(seed) {}
    Then issued(Core& core, Head& head) override;
    int drain(Core& core) override; // one record, so that what it wakes gets its chance; until one ran, all are tried

    uint64_t state() const { return state_; } // where another process goes on, and comes back from
    void go_on_from(uint64_t state) { state_ = state; }

    uint32_t below(uint32_t limit) { // xorshift64*
        state_ ^= state_ >> 12;
        state_ ^= state_ << 25;
        state_ ^= state_ >> 27;
        return static_cast<uint32_t>((state_ * 0x2545F4914F6CDD1Dull) >> 33) % limit;
    }

  private:
    bool run_until(Core& core, const Need& need);
    bool run_wanted(Core& core, const Need& need);
    void run_all(Core& core) { run_until(core, {kAllPipes, nullptr, nullptr}); }
    void run_some(Core& core, int most);
    void run_on(Core& core);
    void run_on_scalar(Core& core, Head& head);

    uint64_t state_; // of the generator
};

} // namespace aclimb
