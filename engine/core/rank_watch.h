// SPDX-License-Identifier: Apache-2.0
// Kernels of several ranks wait for each other by reading a word of a window again and again. No core stands still, so nobody can see at
// once that nothing will ever come, as check_hang does inside a launch. This observer sees it after a while: every core of every rank reads
// what it has read before, none writes global memory, no rank has a task that could still start. Then the waits end, and say so.
//
// It also lets the other cores of its launch run: a launch with ranks has one thread, so that no rank can take the threads of another.
//
// State map
//   units_          what each core did since the last look; only the thread of the launch touches it
//   still_since_    since when all of them wait; 0: something moves. With looked_at_ns_, all that other launches see
//   told_           another launch found that all of them wait for ever
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/observer.h"
#include "ranks/ranks.h"

namespace aclimb {

class RankWatch final : public Observer {
  public:
    explicit RankWatch(const std::shared_ptr<const Rank> (&ranks)[kRankGroups]);
    ~RankWatch() override;

    void launched(Launch& launch) override;
    Then issued(Core& core, Head& head) override;
    bool ended(Launch& launch) override;
    uint64_t patience_ns() const { return patience_ns_; }
    bool stands(Core& core); // lets others run, once more; true: what this core waits for will never come

  private:
    struct Unit {
        uint64_t low = ~uint64_t{0}, high = 0, last_low = 0, last_high = 0; // of global memory: addresses it read
        uint32_t reads = 0;                                                 // since it wrote, or let others run
        bool busy = false, wrote = false;                                   // it issued something, wrote global memory
    };
    void look(Core& core, uint64_t now);
    bool is_still(Launch& launch);
    bool all_wait(uint64_t now) const; // the registry is locked
    bool can_still_run(const Rank& rank) const;
    static const RankWatch* running(const Rank& of, int32_t index); // the launch of a rank of the same group; null: none runs
    void tell();
    bool has_been_still(uint64_t now) const;
    [[noreturn]] void give_up(Core& core);
    void forget();

    std::shared_ptr<const Rank> ranks_[kRankGroups];
    uint64_t patience_ns_ = 0;
    std::vector<Unit> units_;
    int32_t finished_ = 0;
    std::atomic<uint64_t> still_since_{0}, looked_at_ns_{0};
    std::string kernel_;
    std::vector<std::string> others_; // what the other ranks do, written before told_
    std::atomic<bool> told_{false};
};

} // namespace aclimb
