// SPDX-License-Identifier: Apache-2.0
// Which of the records that a core issued runs now. Each pipe runs its records in the order in which they were issued to it; those of the
// scalar unit may stand one inside the other (WaitPreTaskEnd).
#pragma once
#include <deque>
#include <vector>

#include "aclimb/abi.h"

namespace aclimb::check {

class InFlight { // of one core
  public:
    void issued(Pipe pipe, uint32_t index) {
        if (has_queue(pipe)) queued_[static_cast<int>(pipe)].push_back(index);
        else scalar_.push_back(index);
    }
    uint32_t ran(Pipe pipe) {
        const uint32_t index = has_queue(pipe) ? queued_[static_cast<int>(pipe)].front() : scalar_.back();
        if (has_queue(pipe)) queued_[static_cast<int>(pipe)].pop_front();
        else scalar_.pop_back();
        return index;
    }

  private:
    static bool has_queue(Pipe pipe) { return pipe != Pipe::S && pipe != Pipe::ALL; }
    std::deque<uint32_t> queued_[kPipes];
    std::vector<uint32_t> scalar_;
};

} // namespace aclimb::check
