// SPDX-License-Identifier: Apache-2.0
// Two ways to take a mistake that a chip would not notice. Strict ends the core with a fault. As lax as hardware, the launch goes on as
// the chip would and leaves a note, once for each line of a loaded kernel. What strict refuses there is listed in
// docs/strict_or_hardware.md; every such check calls Datapath::refuse where others call Datapath::fail.
#pragma once
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <set>
#include <utility>

#include "isa/fault.h"

namespace aclimb {

enum class Strictness : int8_t { device = -1, strict, hardware }; // device: as the device of the launch has it

constexpr size_t kMostNotes = 256; // of one loaded kernel, and kept by a stream until somebody synchronises

// What was said of a loaded kernel: each warning once for each place (a line, a sub-kernel), each line that went on once.
class Told {
  public:
    bool has_line(uint64_t pc) {
        std::lock_guard lock(mutex_);
        return lines_.contains(pc) || lines_.size() >= kMostNotes;
    }
    bool first_time(uint64_t pc) {
        std::lock_guard lock(mutex_);
        return lines_.size() < kMostNotes && lines_.insert(pc).second;
    }
    bool first_time(FaultKind warning, uint64_t where) {
        std::lock_guard lock(mutex_);
        return warnings_.insert({warning, where}).second;
    }
    void forget(FaultKind warning, uint64_t where) { // it was not said after all
        std::lock_guard lock(mutex_);
        warnings_.erase({warning, where});
    }

  private:
    std::mutex mutex_;
    std::set<uint64_t> lines_;
    std::set<std::pair<FaultKind, uint64_t>> warnings_;
};

} // namespace aclimb
