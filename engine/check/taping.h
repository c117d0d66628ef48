// SPDX-License-Identifier: Apache-2.0
// Writes the tape of a launch while it runs.
#pragma once
#include <deque>
#include <vector>

#include "check/tape.h"
#include "core/core.h"

namespace aclimb::check {

class Taping {
  public:
    explicit Taping(const Launch& launch);
    void issued(const Core& core, const Head& head, const Spot& spot);
    // The event of a record that runs, to be filled in; `done`: it has run.
    TapeEvent& event(const Core& core, const Head& head, bool done);
    void touch(const Core& core, TapeEvent& event, const Touch* first, size_t count);
    void settle(); // at the end: which member a wait between two belongs to

    Tape tape;

  private:
    struct Writing {
        std::deque<uint32_t> waiting[kPipes]; // events that were issued and have not run
        std::vector<uint32_t> scalar;         // ... by the scalar unit: one inside the other
        int32_t member = -1;                  // that ran last
        int in_wait = 0;                      // inside WaitPreTaskEnd
    };
    std::vector<Writing> cores_;
};

} // namespace aclimb::check
