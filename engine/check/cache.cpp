// SPDX-License-Identifier: Apache-2.0
#include "check/cache.h"

#include <bit>

namespace aclimb::check {
namespace {

// Bits of the bytes of [begin, end) that lie in the line.
uint64_t bytes_in(uint64_t number, uint64_t begin, uint64_t end) {
    const uint64_t base = number * kLine;
    if (end <= base || begin >= base + kLine) return 0;
    const uint64_t from = begin > base ? begin - base : 0, to = end < base + kLine ? end - base : kLine;
    return (to == kLine ? ~uint64_t{0} : (uint64_t{1} << to) - 1) & ~((uint64_t{1} << from) - 1);
}

// Runs of set bits as (first, length).
template <class Seen> void each_run(uint64_t bits, Seen seen) {
    for (uint64_t from = 0; from < kLine && bits >> from;) {
        from += static_cast<uint64_t>(std::countr_zero(bits >> from));
        const auto length = static_cast<uint64_t>(std::countr_one(bits >> from));
        seen(from, length);
        from += length;
    }
}

} // namespace

DataCache::Line& DataCache::line(uint64_t number, const Start& now) {
    const auto [at, fresh] = lines_.try_emplace(number);
    if (fresh) at->second.filled = now;
    return at->second;
}

void DataCache::load(Access access, uint64_t begin, uint64_t bytes, const Start& now) {
    access.marks |= kCached;
    for (uint64_t number = begin / kLine; number * kLine < begin + bytes; number++) {
        const uint64_t from = std::max(begin, number * kLine), to = std::min(begin + bytes, (number + 1) * kLine);
        const Line& from_line = line(number, now);
        if (GmAccess* kept = log_.add(access, from_line.filled, {from, to - from, 1, 0})) kept->now = &moments_.emplace_back(now);
    }
}

void DataCache::store(Access access, uint64_t begin, uint64_t bytes, const Start& now) {
    access.marks |= kCached;
    for (uint64_t number = begin / kLine; number * kLine < begin + bytes; number++) {
        Line& to = line(number, now);
        if (!to.dirty) {
            to.opened = now;
            to.store = access;
        }
        to.dirty |= bytes_in(number, begin, begin + bytes);
        to.cleaning = to.cleaned = 0;
    }
}

bool DataCache::is_dirty(uint64_t begin, uint64_t end) const {
    const auto found = lines_.find(begin / kLine);
    return found != lines_.end() && found->second.dirty & bytes_in(begin / kLine, begin, end);
}

// A line that is clean is forgotten: the next load fills it anew.
void DataCache::clean(uint64_t begin, uint64_t end) {
    const bool one = end - begin <= kLine;
    const uint32_t number = order_.control().own[Agent::cleaned] = order_.count(Agent::cleaned);
    order_.changed();
    auto each = one ? lines_.find(begin / kLine) : lines_.begin();
    while (each != lines_.end()) {
        const uint64_t covered = bytes_in(each->first, begin, end);
        Line& line = each->second;
        line.cleaning |= line.dirty & covered;
        if (line.cleaning) line.cleaned = number;
        const bool is_clean = covered && !line.dirty;
        each = is_clean ? lines_.erase(each) : std::next(each);
        if (one) return;
    }
}

// Written bytes, and the rest of the line as it was when it was filled.
void DataCache::close(uint64_t number, Line& line, uint64_t bytes) {
    Access written = line.store;
    written.agent = Agent::D;
    written.value = line.store.count | uint64_t{line.cleaned} << 32; // of the scalar unit's store, and of the clean
    written.count = order_.count(Agent::D);
    each_run(bytes, [&](uint64_t from, uint64_t length) { log_.add(written, line.opened, {number * kLine + from, length, 1, 0}); });
    written.way = Way::reads;
    each_run(~line.dirty, [&](uint64_t from, uint64_t length) { log_.add(written, line.filled, {number * kLine + from, length, 1, 0}); });
}

void DataCache::barrier() {
    for (auto each = lines_.begin(); each != lines_.end();) {
        Line& line = each->second;
        if (line.cleaning) close(each->first, line, line.cleaning);
        line.dirty &= ~line.cleaning;
        const bool gone = line.cleaning && !line.dirty;
        line.cleaning = line.cleaned = 0;
        each = gone ? lines_.erase(each) : std::next(each);
    }
    order_.control().own[Agent::D] = order_.issued_so_far(Agent::D);
    order_.changed();
}

void DataCache::end() {
    for (auto& [number, line] : lines_)
        if (line.dirty) close(number, line, line.dirty);
    lines_.clear();
}

} // namespace aclimb::check
