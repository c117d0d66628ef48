// SPDX-License-Identifier: Apache-2.0
#include "check/shadow.h"

namespace aclimb::check {

size_t Shadow::first_behind(const Page& page, uint32_t begin) {
    const auto& segments = page.segments;
    return static_cast<size_t>(
        std::partition_point(segments.begin(), segments.end(), [&](const Segment& each) { return each.end <= begin; }) - segments.begin());
}

size_t Shadow::split(Page& page, size_t index, uint32_t at) {
    auto& segments = page.segments;
    if (index >= segments.size() || segments[index].begin >= at) return index;
    Segment behind = segments[index];
    behind.begin = at;
    segments[index].end = at;
    segments.insert(segments.begin() + static_cast<ptrdiff_t>(index) + 1, std::move(behind));
    return index + 1;
}

// Of one instruction there may be a read and a write: an update keeps both in one. The read before the last is kept for the instruction
// that now reads, and then writes, the same bytes: its pipe does not order it behind that one.
void Shadow::add(std::vector<Access>& kept, const Access& access, bool all) {
    if (!all) {
        if (writes(access.way)) kept.clear();
        Access* oldest = nullptr;
        int same = 0;
        for (Access& each : kept) {
            if (each.unit != access.unit || each.agent != access.agent || each.way != access.way || each.atomic != access.atomic ||
                each.marks != access.marks)
                continue;
            if (each.count >= access.count) return;
            if (!oldest || each.count < oldest->count) oldest = &each;
            same++;
        }
        if (same == 2) {
            *oldest = access;
            return;
        }
    }
    kept.push_back(access);
}

void Shadow::keep(Page& page, size_t at, const Access& access, uint32_t begin, uint32_t end) {
    auto& segments = page.segments;
    if (at < segments.size() && segments[at].begin == begin && segments[at].end == end) return add(segments[at].kept, access, keeps_all_);
    if (!writes(access.way) || keeps_all_) return keep_read(page, access, begin, end);
    const size_t first = split(page, at, begin);
    size_t last = first;
    while (last < segments.size() && segments[last].end <= end) last++;
    if (last < segments.size() && segments[last].begin < end) segments[last].begin = end;
    if (first == last) {
        segments.insert(segments.begin() + static_cast<ptrdiff_t>(first), Segment{begin, end, {access}});
        return;
    }
    segments[first].begin = begin;
    segments[first].end = end;
    add(segments[first].kept, access, false);
    segments.erase(segments.begin() + static_cast<ptrdiff_t>(first) + 1, segments.begin() + static_cast<ptrdiff_t>(last));
}

// Every segment keeps what it had, and what lies between them becomes one.
void Shadow::keep_read(Page& page, const Access& access, uint32_t begin, uint32_t end) {
    auto& segments = page.segments;
    size_t i = split(page, first_behind(page, begin), begin);
    for (uint32_t at = begin; at < end;) {
        if (i == segments.size() || segments[i].begin > at) {
            const uint32_t to = i == segments.size() ? end : std::min(end, segments[i].begin);
            segments.insert(segments.begin() + static_cast<ptrdiff_t>(i), Segment{at, to, {access}});
        } else {
            if (segments[i].end > end) split(page, i, end);
            add(segments[i].kept, access, keeps_all_);
        }
        at = segments[i++].end;
    }
}

uint64_t Shadow::bytes() const {
    uint64_t total = 0;
    const auto add = [&](const Page& page) {
        total += sizeof(Page) + page.segments.capacity() * sizeof(Segment);
        for (const Segment& segment : page.segments) total += segment.kept.capacity() * sizeof(Access);
    };
    for (const Page& page : low_) add(page);
    for (const auto& [number, page] : high_) add(page);
    return total;
}

} // namespace aclimb::check
