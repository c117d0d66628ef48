// SPDX-License-Identifier: Apache-2.0
// Two ways to take a mistake that a chip would not notice. Strict ends the core with a fault. As lax as hardware, the launch goes on as
// the chip would and leaves a note, once for each line of a loaded kernel. What strict refuses there is listed in
// docs/strict_or_hardware.md; every such check calls Core::refuse where others call Core::fail.
#pragma once
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <set>

namespace aclimb {

enum class Strictness : int8_t { device = -1, strict, hardware }; // device: as the device of the launch has it

constexpr size_t kMostNotes = 256; // of one loaded kernel, and kept by a stream until somebody synchronises

// The lines of a loaded kernel that have their note.
class ToldLines {
  public:
    bool has(uint64_t pc) {
        std::lock_guard lock(mutex_);
        return lines_.contains(pc) || lines_.size() >= kMostNotes;
    }
    bool first_time(uint64_t pc) {
        std::lock_guard lock(mutex_);
        return lines_.size() < kMostNotes && lines_.insert(pc).second;
    }

  private:
    std::mutex mutex_;
    std::set<uint64_t> lines_;
};

} // namespace aclimb
