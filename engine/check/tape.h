// SPDX-License-Identifier: Apache-2.0
// A launch as the checker saw it, to be judged again with one call moved: what each core issued, in that order, and what it touched.
#pragma once
#include <memory>
#include <vector>

#include "check/core_check.h"
#include "isa/effect.h"

namespace aclimb::check {

struct TapeEvent {
    Effect effect; // none, until it has run
    Pipe pipe = Pipe::S;
    bool has_run = false;
    bool early_set = false, early_wait = false; // SetNextTaskStart of its member, WaitPreTaskEnd, or what the plan does in their place
    int32_t member = -1;                        // whose set or wait it is, also where it stands between two members
    Spot spot;
    uint32_t first_touch = 0, touches = 0;
};

struct CoreTape {
    std::vector<TapeEvent> events;
    std::vector<Touch> touches;
};

// One call of one core, moved: before which event it stands then. Positions count in the events of the core as it ran.
struct Move {
    int32_t unit, member;
    bool is_set;
    uint32_t to;
};

struct MemberPair { // accesses of two members in no order
    int32_t first_member, first_unit, second_member, second_unit;
    auto operator<=>(const MemberPair&) const = default;
};

class Tape {
  public:
    Tape(int64_t blocks, int aics, int aivs)
        : blocks_(blocks), aics_(aics), aivs_(aivs), cores_(static_cast<size_t>(blocks * (aics + aivs))) {}
    CoreTape& core(int32_t unit) { return cores_[static_cast<size_t>(unit)]; }
    const std::vector<CoreTape>& cores() const { return cores_; }
    void adopt(std::vector<CoreTape> cores) { cores_ = std::move(cores); }

    // What is in no order when these calls are moved. Empty: everything is. `stuck`: a core waits for ever.
    std::vector<MemberPair> judge(const Options& options, const std::vector<Move>& moves, bool& stuck) const;

  private:
    int64_t blocks_;
    int aics_, aivs_;
    std::vector<CoreTape> cores_;
};

} // namespace aclimb::check
