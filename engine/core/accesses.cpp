// SPDX-License-Identifier: Apache-2.0
#include "core/accesses.h"

#include <algorithm>

#include "core/core.h"
#include "isa/ranges.h"

namespace aclimb {

void Accesses::executed(Core& core, const Head& head, const Ranges& touched) {
    const Row& row = row_of(head.op);
    const Origin& origin = core.origin;
    std::lock_guard lock(mutex_);
    for (const Bytes& bytes : touched) {
        if (!is_in_gm(head, row.operand[bytes.operand])) continue;
        for (uint32_t i = 0; i < bytes.count; i++) {
            const uint64_t begin = bytes.begin + i * static_cast<uint64_t>(bytes.stride);
            if (reads(bytes.role)) add({origin.sub, origin.waited, origin.set, 0}, begin, begin + bytes.length);
            if (writes(bytes.role)) add({origin.sub, origin.waited, origin.set, 1}, begin, begin + bytes.length);
        }
    }
}

void Accesses::add(const Key& key, uint64_t begin, uint64_t end) {
    auto& ranges = ranges_[key];
    if (!ranges.empty() && begin >= ranges.back().begin && begin <= ranges.back().end) {
        ranges.back().end = std::max(ranges.back().end, end);
        return;
    }
    ranges.push_back({begin, end});
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

void Accesses::add_range(const Key& key, Range range) {
    std::lock_guard lock(mutex_);
    add(key, range.begin, range.end);
}

void Accesses::clear() {
    std::lock_guard lock(mutex_);
    ranges_.clear();
}

} // namespace aclimb
