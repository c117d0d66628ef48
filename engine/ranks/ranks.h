// SPDX-License-Identifier: Apache-2.0
// Ranks: devices of one process that see each other's windows, as the ranks of a communicator do over the links between chips. What a rank
// may touch of the others is its group's list of windows; everything else stays the other device's own.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "memory/global.h"
#include "ranks/hccl_server.h"

namespace aclimb {

constexpr int kRankGroups = 2; // GetHcclContext<0> and <1>

struct RankWindow {
    uint64_t addr = 0, size = 0;
    int32_t rank = 0;
    std::string name; // as the context's field: windowsIn

    bool holds(uint64_t at, uint64_t span) const { return at >= addr && span <= size && at - addr <= size - span; }
};

class RankGroup {
  public:
    using Pending = std::shared_ptr<const std::atomic<int64_t>>; // tasks that a rank's device still has
    RankGroup(std::vector<RankWindow> windows, std::vector<Pending> pending, uint64_t patience_ns);

    const RankWindow* window_of(uint64_t addr) const; // the window whose allocation that is, or would be: the nearest of its device
    const RankWindow* window_at(uint64_t addr, uint64_t span) const;
    uint64_t patience_ns() const { return patience_ns_; }
    int32_t size() const { return static_cast<int32_t>(pending_.size()); }
    uint64_t window_named(int64_t rank, const char* name) const; // its address; 0: no such rank
    HcclServer& server() { return server_; }
    bool has_tasks(int32_t rank) const { return *pending_[static_cast<size_t>(rank)] > 0; }

    void ended(int32_t rank, std::string how);
    std::string last_of(int32_t rank); // what became of its last kernel, in words

  private:
    const std::vector<RankWindow> windows_; // by address
    const std::vector<Pending> pending_;
    const uint64_t patience_ns_;
    std::mutex mutex_;
    std::vector<std::string> last_;
    HcclServer server_;
};

// What a device is in a group.
struct Rank {
    std::shared_ptr<RankGroup> group;
    int32_t index = 0;
    uint64_t context = 0; // device address of what GetHcclContext returns
};

} // namespace aclimb
