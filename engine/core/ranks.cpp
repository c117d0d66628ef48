// SPDX-License-Identifier: Apache-2.0
#include "core/ranks.h"

#include <algorithm>

#include "core/launch.h"

namespace aclimb {

RankGroup::RankGroup(std::vector<RankWindow> windows, std::vector<Pending> pending, uint64_t patience_ns)
    : windows_([&] {
          std::sort(windows.begin(), windows.end(), [](const RankWindow& a, const RankWindow& b) { return a.addr < b.addr; });
          return std::move(windows);
      }()),
      pending_(std::move(pending)), patience_ns_(patience_ns), last_(pending_.size(), "no kernel was launched") {}

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

void RankGroup::ended(int32_t rank, const Launch& launch) {
    std::lock_guard lock(mutex_);
    last_[static_cast<size_t>(rank)] = launch.kernel->name + (launch.fault || launch.cancelled ? " failed" : " has ended");
}

std::string RankGroup::last_of(int32_t rank) {
    std::lock_guard lock(mutex_);
    return last_[static_cast<size_t>(rank)];
}

const RankWindow* window_at(const Launch& launch, uint64_t addr, uint64_t span) {
    for (const auto& rank : launch.ranks)
        if (rank)
            if (const RankWindow* found = rank->group->window_at(addr, span)) return found;
    return nullptr;
}

bool add_window(Fault& fault, const Launch& launch, uint64_t addr) {
    for (const auto& rank : launch.ranks) {
        const RankWindow* found = rank ? rank->group->window_of(addr) : nullptr;
        if (!found) continue;
        fault.text("memory_of", "window").text("window", found->name).number("rank", found->rank);
        fault.number("near_addr", static_cast<int64_t>(found->addr)).number("near_bytes", static_cast<int64_t>(found->size));
        return true;
    }
    return false;
}

} // namespace aclimb
