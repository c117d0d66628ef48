// SPDX-License-Identifier: Apache-2.0
#include "core/accesses.h"

#include <algorithm>

namespace aclimb {

void Accesses::add(const Origin& origin, bool writes, uint64_t addr, uint64_t span) {
    if (!span) return;
    std::lock_guard lock(mutex_);
    auto& ranges = ranges_[{origin.sub, origin.waited, origin.set, writes}];
    if (!ranges.empty() && addr >= ranges.back().begin && addr <= ranges.back().end) {
        ranges.back().end = std::max(ranges.back().end, addr + span);
        return;
    }
    ranges.push_back({addr, addr + span});
    if (ranges.size() >= 4096) join(ranges);
}

void Accesses::join(std::vector<Range>& ranges) {
    std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
    size_t kept = 0;
    for (const Range& range : ranges)
        if (kept && range.begin <= ranges[kept - 1].end) ranges[kept - 1].end = std::max(ranges[kept - 1].end, range.end);
        else ranges[kept++] = range;
    ranges.resize(kept);
}

std::map<Accesses::Key, std::vector<Accesses::Range>> Accesses::ranges() {
    std::lock_guard lock(mutex_);
    for (auto& [key, ranges] : ranges_) join(ranges);
    return ranges_;
}

void Accesses::clear() {
    std::lock_guard lock(mutex_);
    ranges_.clear();
}

} // namespace aclimb
