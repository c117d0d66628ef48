// SPDX-License-Identifier: Apache-2.0
#include "ranks/ranks.h"

#include <algorithm>

namespace aclimb {

RankGroup::RankGroup(std::vector<RankWindow> windows, std::vector<Pending> pending, uint64_t patience_ns)
    : windows_([&] {
          std::sort(windows.begin(), windows.end(), [](const RankWindow& a, const RankWindow& b) { return a.addr < b.addr; });
          return std::move(windows);
      }()),
      pending_(std::move(pending)), patience_ns_(patience_ns), last_(pending_.size(), "no kernel was launched"), server_(size()) {}

const RankWindow* RankGroup::window_at(uint64_t addr, uint64_t span) const {
    const auto after =
        std::upper_bound(windows_.begin(), windows_.end(), addr, [](uint64_t at, const RankWindow& w) { return at < w.addr; });
    if (after == windows_.begin()) return nullptr;
    const RankWindow& found = *std::prev(after);
    return found.holds(addr, span) ? &found : nullptr;
}

const RankWindow* RankGroup::window_of(uint64_t addr) const {
    const GlobalMemory* memory = GlobalMemory::owner(addr);
    Allocation found;
    if (!memory || !memory->nearest(addr, found)) return nullptr;
    for (const RankWindow& each : windows_)
        if (each.addr == found.addr) return &each;
    return nullptr;
}

uint64_t RankGroup::window_named(int64_t rank, const char* name) const {
    for (const RankWindow& each : windows_)
        if (each.rank == rank && each.name == name) return each.addr;
    return 0;
}

void RankGroup::ended(int32_t rank, std::string how) {
    std::lock_guard lock(mutex_);
    last_[static_cast<size_t>(rank)] = std::move(how);
}

std::string RankGroup::last_of(int32_t rank) {
    std::lock_guard lock(mutex_);
    return last_[static_cast<size_t>(rank)];
}

} // namespace aclimb
