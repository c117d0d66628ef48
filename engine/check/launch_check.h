// SPDX-License-Identifier: Apache-2.0
// The checker of one launch: from the records that cores issue and run to accesses and order.
#pragma once
#include <memory>
#include <set>
#include <vector>

#include "check/advice.h"
#include "check/core_check.h"
#include "check/cross.h"
#include "check/host_order.h"
#include "check/taping.h"
#include "check/tpipes.h"
#include "check/validity.h"
#include "core/core.h"
#include "core/observer.h"

namespace aclimb::check {

// What a proof cannot rest on.
enum class Doubt : uint8_t { time, polling, float_sums, mixed_flags, log_full, left_out };
struct Doubted {
    Doubt what;
    Side where;
};

class LaunchCheck final : public Observer {
  public:
    LaunchCheck(const Options& options, Launch& launch, GlobalValues* global);

    void launched(Launch& launch) override;
    Then issued(Core& core, Head& head) override;
    bool wants_scalar() const override { return true; }
    bool wants_executed() const override { return true; }
    void executing(Core& core, const Head& head) override;
    void executed(Core& core, const Head& head, const Ranges& touched) override;
    void left(Core& core) override;
    bool ended(Launch& launch) override;

    Findings findings;
    const Options& options() const { return options_; }
    std::vector<Box> boxes() const { return boxes_; } // of global memory, when it has ended
    const Tape* tape() const { return taping_ ? &taping_->tape : nullptr; }
    // When it has ended: what a proof cannot rest on, and the loads whose values the scalar unit got to see.
    const std::vector<Doubted>& doubts() const { return doubts_; }
    const std::vector<Side>& steers() const { return steers_; }
    const std::vector<std::unique_ptr<CoreCheck>>& cores() const { return cores_; }
    GlobalValues* global() const { return global_; }
    bool is_off() const { return is_off_; }

    struct Seen { // by the checker of another process, in which the launch ran
        std::vector<Finding> findings;
        std::vector<Doubted> doubts;
        std::vector<Side> steers;
        std::vector<Box> boxes;
        std::vector<CoreTape> cores; // where a tape is kept
    };
    void adopt(Seen seen); // instead of what this one would have seen

  private:
    CoreCheck& of(const Core& core) { return *cores_[static_cast<size_t>(core.unit)]; }
    Spot spot(const Core& core, const Head& head) const;
    void data(Core& core, const Head& head, const Effect& effect, const Ranges& touched);
    void control(Core& core, const Head& head, Effect effect, const Ranges& touched);
    void accessed(Core& core, const ScalarAccess& access, const Effect& effect, const Spot& here, const Ranges& touched);
    void look_at_values(Core& core, const Head& head, const Ranges& touched);
    void say(Core& core, const Head& head, const Effect& effect);
    void tell_mixed(const Core& core, const Spot& here, const CrossOrder::Mixed& mixed, int id);
    Finding found_at(const Core& core, const Spot& here, FindingKind kind, int64_t number, int operand = 0);
    void find_reused(const Launch& launch);
    void tell(const Core& core, const Spot& here, FindingKind kind, int64_t number);
    void steer(const Core& core, const Spot& here);
    void doubt(Doubt what, const Core& core, const Spot& here);

    const Options options_;
    bool is_adopted_ = false;    // it has ended elsewhere
    bool is_off_ = false;        // another observer leaves things out: what would be seen is not what the kernel does
    GlobalValues* const global_; // the session's, which outlives its launches
    LogBudget log_budget_;
    std::vector<std::unique_ptr<CoreCheck>> cores_;
    std::vector<std::unique_ptr<Validity>> values_; // by unit, while it runs
    CrossOrder cross_;
    struct Signalling {
        uint8_t handed_in = 0; // pipes whose first record, a signal, was handed in and has not run
        Rounds rounds;
        Effect meeting; // that the scalar unit is at, with its number
    };
    std::vector<Signalling> signalling_; // by unit
    std::vector<TPipes> tpipes_;         // by unit
    std::unique_ptr<Taping> taping_;
    std::unique_ptr<Adviser> advice_;
    std::vector<Box> boxes_;
    mutable std::mutex mutex_;
    std::vector<Doubted> doubts_;
    std::vector<Side> steers_;
    std::vector<std::set<uint64_t>> steered_; // by unit: their places
};

} // namespace aclimb::check
