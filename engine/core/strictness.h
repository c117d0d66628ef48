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

namespace aclimb {

enum class Strictness : int8_t { device = -1, strict, hardware }; // device: as the device of the launch has it

constexpr size_t kMostNotes = 256; // of one loaded kernel, and kept by a stream until somebody synchronises

// What was said of a loaded kernel: each kind of warning once for each line, or for each sub-kernel.
class Told {
  public:
    enum What : uint8_t {
        went_on,
        cross_flag_full,
        state_leak,
        set_on_scalar_pipe,
        set_on_other_pipe,
        set_before_copy,
        wait_after_write,
        wait_after_copy
    };
    bool has(What what, uint64_t where) {
        std::lock_guard lock(mutex_);
        return said_.contains({what, where}) || said_.size() >= kMostNotes;
    }
    bool first_time(What what, uint64_t where) {
        std::lock_guard lock(mutex_);
        return said_.size() < kMostNotes && said_.insert({what, where}).second;
    }
    void forget(What what, uint64_t where) { // it was not said after all
        std::lock_guard lock(mutex_);
        said_.erase({what, where});
    }

  private:
    std::mutex mutex_;
    std::set<std::pair<What, uint64_t>> said_;
};

} // namespace aclimb
