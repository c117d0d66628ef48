// SPDX-License-Identifier: Apache-2.0
// Writes the tape of a launch while it runs.
#pragma once
#include <vector>

#include "check/in_flight.h"
#include "check/tape.h"
#include "core/core.h"

namespace aclimb::check {

class Taping {
  public:
    explicit Taping(const Launch& launch);
    void issued(const Core& core, const Head& head, const Spot& spot);
    void ran(const Core& core, const Head& head, const Effect& effect, const std::vector<Touch>& touches);
    void settle(); // at the end: which member a wait between two belongs to

    Tape tape;

  private:
    struct Writing {
        InFlight in_flight;
        int32_t member = -1; // that ran last
        int in_wait = 0;     // inside WaitPreTaskEnd
    };
    std::vector<Writing> cores_;
};

} // namespace aclimb::check
