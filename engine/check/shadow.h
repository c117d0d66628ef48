// SPDX-License-Identifier: Apache-2.0
// Who touched which byte last. Memory is cut into pages of 4 KiB, a page into segments that were always touched together: tiles are
// touched again and again within the same bounds, so nearly every access finds its segment as it left it. Segments end at any byte; there
// is no coarser grain that could make two neighbours meet.
//
// A segment keeps the accesses that a later one could still be in no order with: a write takes the place of all before it, because who is
// ordered behind the write is ordered behind those as well, and who is not is reported with the write. Of the reads of one agent the last
// two are enough. A shadow that keeps everything is for tests, which compare all pairs.
#pragma once
#include <unordered_map>

#include "check/access.h"

namespace aclimb::check {

struct Met { // an access that an earlier one meets
    const Access& earlier;
    uint64_t begin, end; // common bytes
};

class Shadow {
  public:
    explicit Shadow(bool keeps_all = false) : keeps_all_(keeps_all) {}

    // Every kept access to one of these bytes that conflicts with `access`, without regard to order; nothing is changed.
    template <class Seen> void look(const Access& access, uint64_t begin, uint64_t end, Seen seen) const;
    // Every kept float sum of these bytes that is another's.
    template <class Seen> void look_at_sums(const Access& access, uint64_t begin, uint64_t end, Seen seen) const;
    // Every one that conflicts, and `access` is kept.
    template <class Seen> void touch(const Access& access, uint64_t begin, uint64_t end, Seen seen);
    void clear() {
        low_.clear();
        high_.clear();
    }
    uint64_t bytes() const;

  private:
    static constexpr uint64_t kPage = 4096;
    struct Segment {
        uint32_t begin, end;
        std::vector<Access> kept;
    };
    struct Page {
        std::vector<Segment> segments; // disjoint, by address
    };

    // Local memories are small: their pages stand in a list.
    static constexpr uint64_t kLow = 256;
    const Page* find(uint64_t number) const {
        if (number < kLow) return number < low_.size() ? &low_[number] : nullptr;
        const auto found = high_.find(number);
        return found == high_.end() ? nullptr : &found->second;
    }
    Page& page(uint64_t number) {
        if (number >= kLow) return high_[number];
        if (number >= low_.size()) low_.resize(number + 1);
        return low_[number];
    }
    template <class Seen> static void each_page(uint64_t begin, uint64_t end, Seen seen);
    template <class Seen> static void in_page(const Page& page, size_t first, uint64_t base, uint32_t from, uint32_t to, Seen seen);
    static size_t first_behind(const Page& page, uint32_t begin); // the first segment that ends behind it
    static size_t split(Page& page, size_t index, uint32_t at);   // so that a segment begins there; its index
    void keep(Page& page, size_t first, const Access& access, uint32_t begin, uint32_t end);
    void keep_read(Page& page, const Access& access, uint32_t begin, uint32_t end);
    static void add(std::vector<Access>& kept, const Access& access, bool all);

    bool keeps_all_;
    std::vector<Page> low_;
    std::unordered_map<uint64_t, Page> high_;
};

template <class Seen> void Shadow::in_page(const Page& page, size_t first, uint64_t base, uint32_t from, uint32_t to, Seen seen) {
    for (size_t i = first; i < page.segments.size() && page.segments[i].begin < to; i++) {
        const Segment& segment = page.segments[i];
        for (const Access& earlier : segment.kept)
            seen(Met{earlier, base + std::max(from, segment.begin), base + std::min(to, segment.end)});
    }
}

template <class Seen> void Shadow::each_page(uint64_t begin, uint64_t end, Seen seen) {
    for (uint64_t number = begin / kPage; number * kPage < end; number++) {
        const uint64_t base = number * kPage;
        seen(number, base, static_cast<uint32_t>(std::max(begin, base) - base), static_cast<uint32_t>(std::min(end, base + kPage) - base));
    }
}

template <class Seen> void Shadow::look(const Access& access, uint64_t begin, uint64_t end, Seen seen) const {
    each_page(begin, end, [&](uint64_t number, uint64_t base, uint32_t from, uint32_t to) {
        const Page* found = find(number);
        if (!found) return;
        in_page(*found, first_behind(*found, from), base, from, to, [&](const Met& met) {
            if (conflict(met.earlier, access)) seen(met);
        });
    });
}

template <class Seen> void Shadow::look_at_sums(const Access& access, uint64_t begin, uint64_t end, Seen seen) const {
    each_page(begin, end, [&](uint64_t number, uint64_t base, uint32_t from, uint32_t to) {
        const Page* found = find(number);
        if (!found) return;
        in_page(*found, first_behind(*found, from), base, from, to, [&](const Met& met) {
            if (met.earlier.marks & kFloatAdd && !same_instruction(met.earlier, access)) seen(met.earlier);
        });
    });
}

template <class Seen> void Shadow::touch(const Access& access, uint64_t begin, uint64_t end, Seen seen) {
    each_page(begin, end, [&](uint64_t number, uint64_t base, uint32_t from, uint32_t to) {
        Page& at = page(number);
        const size_t first = first_behind(at, from);
        in_page(at, first, base, from, to, [&](const Met& met) {
            if (conflict(met.earlier, access)) seen(met);
        });
        keep(at, first, access, from, to);
    });
}

} // namespace aclimb::check
