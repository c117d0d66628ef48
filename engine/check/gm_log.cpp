// SPDX-License-Identifier: Apache-2.0
#include "check/gm_log.h"

#include <map>
#include <tuple>

namespace aclimb::check {
namespace {

uint64_t sum_of(const World* world, int32_t except) {
    if (!world) return 0;
    uint64_t total = 0;
    for (const Chunk* chunk : world->chunks)
        if (chunk)
            for (const Clock& clock : *chunk) total += clock.sum();
    if (const Clock* own = world->of(except)) total -= own->sum();
    return total;
}

} // namespace

bool overlap(const Rectangle& a, const Rectangle& b) {
    if (a.begin >= b.end() || b.begin >= a.end()) return false;
    bool found = false;
    each_row(a, [&](uint64_t begin, uint64_t end) {
        if (found || begin >= b.end() || b.begin >= end) return;
        const uint64_t step = b.count > 1 ? static_cast<uint64_t>(b.stride) : 0;
        uint64_t row = step && begin >= b.begin + b.length ? (begin - b.begin - b.length) / step + 1 : 0;
        found = row < b.count && b.begin + row * step < end;
    });
    return found;
}

bool in_order(const GmAccess& x, const GmAccess& y) { return y.start.knows(y.access.unit, x.access.unit, x.access.agent, x.access.count); }

// Hulls first: a group of them that overlap in a chain matters when it has a write and more than one access.
std::vector<const GmAccess*> those_that_meet(const std::vector<GmLog*>& logs) {
    std::vector<const GmAccess*> all;
    for (const GmLog* log : logs)
        for (const GmAccess& each : log->all()) all.push_back(&each);
    std::sort(all.begin(), all.end(), [](const GmAccess* a, const GmAccess* b) { return a->bytes.begin < b->bytes.begin; });
    std::vector<const GmAccess*> meeting;
    for (size_t from = 0; from < all.size();) {
        size_t to = from;
        uint64_t end = all[from]->bytes.end();
        bool plain = false, atomic = false;
        for (; to < all.size() && (to == from || all[to]->bytes.begin < end); to++) {
            end = std::max(end, all[to]->bytes.end());
            plain |= all[to]->access.way != Way::reads;
            atomic |= (all[to]->access.marks & kFloatAdd) != 0;
        }
        if (to - from > 1 && (plain || atomic))
            meeting.insert(meeting.end(), all.begin() + static_cast<ptrdiff_t>(from), all.begin() + static_cast<ptrdiff_t>(to));
        from = to;
    }
    return meeting;
}

void in_order_of_clocks(std::vector<const GmAccess*>& accesses) {
    struct Keyed {
        uint64_t key;
        const GmAccess* access;
    };
    std::map<std::pair<const World*, int32_t>, uint64_t> sums;
    std::vector<Keyed> keyed;
    keyed.reserve(accesses.size());
    for (const GmAccess* each : accesses) {
        const auto [at, fresh] = sums.try_emplace({each->start.world, each->access.unit});
        if (fresh) at->second = sum_of(each->start.world, each->access.unit);
        keyed.push_back({at->second + each->start.own.sum(), each});
    }
    std::sort(keyed.begin(), keyed.end(), [](const Keyed& a, const Keyed& b) {
        const Access &x = a.access->access, &y = b.access->access;
        return std::tuple(a.key, x.unit, x.agent, x.count, x.way) < std::tuple(b.key, y.unit, y.agent, y.count, y.way);
    });
    for (size_t i = 0; i < keyed.size(); i++) accesses[i] = keyed[i].access;
}

} // namespace aclimb::check
