// SPDX-License-Identifier: Apache-2.0
#include "check/core_check.h"

namespace aclimb::check {
namespace {

constexpr size_t kSyncsKept = 32;
constexpr uint64_t kLeaf = 1 << 16;

bool is_ordered_by_compiler(Agent agent) { return agent == Agent::V || agent == Agent::MTE2 || agent == Agent::MTE3; }

template <class Seen> void each_leaf(const Rectangle& bytes, Seen seen) {
    if (bytes.count == 1 || static_cast<uint64_t>(bytes.stride) <= kLeaf) {
        for (uint64_t leaf = bytes.begin / kLeaf; leaf * kLeaf < bytes.end(); leaf++) seen(leaf);
    } else {
        each_row(bytes, [&](uint64_t begin, uint64_t end) {
            for (uint64_t leaf = begin / kLeaf; leaf * kLeaf < end; leaf++) seen(leaf);
        });
    }
}

} // namespace

CoreCheck::CoreCheck(const Options& options, Findings& findings, int32_t unit, CoreType type, int64_t block, int64_t core_idx,
                     LogBudget* budget)
    : log(budget), unit(unit), type(type), block(block), core_idx(core_idx), options_(options), findings_(findings), cache_(order, log) {
    if (options.all_pairs)
        for (Shadow& each : local_) each = Shadow(true);
}

Side CoreCheck::side(const Access& access) const {
    return {spots[access.site], Spots::operand(access.site), unit, block, core_idx, type, access.agent, access.way, access.count};
}

void CoreCheck::report(FindingKind kind, const Access& x, const Access& y, const Touch& touch, uint64_t begin, uint64_t end) {
    Finding made;
    made.kind = kind;
    made.first = side(x);
    made.second = side(y);
    made.has_second = true;
    made.memory = touch.memory;
    made.in_register = touch.in_register;
    made.begin = begin;
    made.end = end;
    made.order = order_near(x);
    if (kind == FindingKind::race) {
        const Spot &first = made.first.spot, &second = made.second.spot;
        if (first.sub != second.sub) made.kind = FindingKind::early_local;
        else if (first.pipes && first.pipes != second.pipes) made.kind = FindingKind::two_pipes_alias;
    }
    findings_.add(std::move(made));
}

template <class Seen> void CoreCheck::each_unordered(const Access& access, const Touch& touch, const Start& start, Seen seen) const {
    const Shadow& shadow = local_[touch.room()];
    each_row(touch.bytes, [&](uint64_t begin, uint64_t end) {
        shadow.look(access, begin, end, [&](const Met& met) {
            if (start.own[met.earlier.agent] < met.earlier.count) seen(met);
        });
    });
}

// --- what the compiler inserts on an AIV. All edges an instruction demands are supplied before it is judged.

// In front of a listed scalar access, a flag from each pipe that has touched the same bytes.
void CoreCheck::supply_for_scalar(const Access& access, const Touch& touch, Start& start) {
    uint32_t demanded = 0;
    const auto demand = [&](const Access& earlier, uint64_t begin, uint64_t end) {
        if (!is_ordered_by_compiler(earlier.agent) || earlier.marks & kRaw) return;
        demanded |= 1u << static_cast<int>(earlier.agent);
        if (options_.auto_sync == AutoSync::warn) report(FindingKind::compiler_edge, earlier, access, touch, begin, end);
    };
    if (!touch.is_global()) {
        each_unordered(access, touch, start, [&](const Met& met) { demand(met.earlier, met.begin, met.end); });
    } else {
        bool near = false;
        each_leaf(touch.bytes,
                  [&](uint64_t leaf) { near |= written_leaves_.count(leaf) || (writes(touch.way) && read_leaves_.count(leaf)); });
        if (near)
            for (const GmAccess& each : log.all())
                if (start.own[each.access.agent] < each.access.count && conflict(each.access, access) && overlap(each.bytes, touch.bytes))
                    demand(each.access, touch.bytes.begin, touch.bytes.end());
    }
    for (const Agent agent : {Agent::V, Agent::MTE2, Agent::MTE3}) {
        if (!(demanded >> static_cast<int>(agent) & 1)) continue;
        order.control().join(order.of(agent));
        order.control().own[agent] = order.issued_so_far(agent);
        order.changed();
        start.join(order.control());
    }
}

// In front of an instruction of a pipe, a flag from the scalar unit, where one of its listed accesses was to the same bytes.
void CoreCheck::supply_for_pipe(const Access& access, const std::vector<Touch>& touches, Start& start) {
    bool demanded = false;
    const auto demand = [&](const Access& earlier, const Access& later, const Touch& touch, uint64_t begin, uint64_t end) {
        demanded = true;
        if (options_.auto_sync == AutoSync::warn) report(FindingKind::compiler_edge, earlier, later, touch, begin, end);
    };
    for (const Touch& touch : touches) {
        Access later = access;
        later.way = touch.way;
        later.site = Spots::with_operand(access.site, touch.operand);
        if (!touch.is_global()) {
            each_unordered(later, touch, start, [&](const Met& met) {
                if (met.earlier.marks & kListed) demand(met.earlier, later, touch, met.begin, met.end);
            });
            continue;
        }
        for (const GmAccess& each : scalars_)
            if (start.own[Agent::S] < each.access.count && conflict(each.access, later) && overlap(each.bytes, touch.bytes))
                demand(each.access, later, touch, each.bytes.begin, each.bytes.end());
    }
    if (demanded) start.own[Agent::S] = std::max(start.own[Agent::S], order.scalars_before()); // the flag was set when this was issued
}

// --- accesses

void CoreCheck::touch(const Access& access, const Touch& touch, Start& start, bool orders_itself) {
    if (touch.is_global()) return touch_global(access, touch, start);
    Clock supplied = start.own;
    each_row(touch.bytes, [&](uint64_t begin, uint64_t end) {
        local_[touch.room()].touch(access, begin, end, [&](const Met& met) {
            const Access& earlier = met.earlier;
            if (start.own[earlier.agent] >= earlier.count) return;
            if (orders_itself && touch.memory == Memory::L0C && earlier.agent == Agent::M && earlier.way != Way::reads) return;
            const bool by_compiler = options_.auto_sync == AutoSync::warn && type == CoreType::AIV && access.agent == Agent::V &&
                                     earlier.agent == Agent::V && !(access.marks & kRaw);
            report(by_compiler ? FindingKind::compiler_edge : FindingKind::race, earlier, access, touch, met.begin, met.end);
            supplied[earlier.agent] = std::max(supplied[earlier.agent], earlier.count);
        });
    });
    if (!options_.all_pairs) start.own.join(supplied); // as if the flag were there: one mistake is told once
}

void CoreCheck::touch_global(const Access& access, const Touch& touch, const Start& start) {
    log.add(access, start, touch.bytes);
    auto& leaves = access.way == Way::reads ? read_leaves_ : written_leaves_;
    each_leaf(touch.bytes, [&](uint64_t leaf) { leaves.insert(leaf); });
}

void CoreCheck::run(Agent agent, const Spot& spot, const std::vector<Touch>& touches, bool orders_itself) {
    Start& start = order.begin(agent);
    Access access;
    access.unit = unit;
    access.agent = agent;
    access.count = order.count(agent);
    access.site = spots.number(spot);
    const bool raw = std::any_of(touches.begin(), touches.end(), [](const Touch& each) { return each.marks & kRaw; });
    if (type == CoreType::AIV && options_.auto_sync != AutoSync::off && !raw) { // for a plain pointer the compiler inserts nothing
        if (agent == Agent::V && options_.auto_sync == AutoSync::on) start.own[Agent::V] = access.count - 1;
        if (is_ordered_by_compiler(agent) && start.own[Agent::S] < last_listed_) supply_for_pipe(access, touches, start);
    }
    for (const bool writing : {false, true})
        for (const Touch& each : touches) {
            if ((each.way != Way::reads) != writing) continue;
            Access one = access;
            one.way = each.way;
            one.marks = each.marks;
            one.atomic = each.atomic;
            one.value = each.value;
            one.site = Spots::with_operand(access.site, each.operand);
            touch(one, each, start, orders_itself);
        }
    const bool listed_now = type == CoreType::AIV && options_.auto_sync == AutoSync::warn && !raw;
    if (agent == Agent::V && listed_now) start.own[Agent::V] = access.count - 1; // the barrier that the compiler put before it
}

void CoreCheck::scalar(const Spot& spot, const Touch& touched, bool listed, bool past_cache) {
    Start& start = order.begin(Agent::S);
    Access access;
    access.unit = unit;
    access.count = order.count(Agent::S);
    access.site = Spots::with_operand(spots.number(spot), touched.operand);
    access.way = touched.way;
    access.marks = touched.marks;
    access.value = touched.value;
    const bool supplied = listed && type == CoreType::AIV && options_.auto_sync != AutoSync::off;
    if (supplied) {
        access.marks |= kListed;
        last_listed_ = access.count;
        supply_for_scalar(access, touched, start);
    }
    if (!touched.is_global()) {
        last_local_ = access.count;
        return touch(access, touched, start, false);
    }
    last_global_ = access.count;
    if (supplied) scalars_.push_back({access, start, touched.bytes});
    if (past_cache || !options_.cache || touched.marks & kSyncWord) log.add(access, start, touched.bytes);
    else if (touched.way == Way::reads) cache_.load(access, touched.bytes.begin, touched.bytes.length, start);
    else store_cached(access, touched, start);
}

// Whatever is issued from here on comes behind the store in the program, which is not to say that the line was written back.
void CoreCheck::store_cached(const Access& access, const Touch& touched, const Start& start) {
    cache_.store(access, touched.bytes.begin, touched.bytes.length, start);
    order.control().own[Agent::stored] = access.count;
    order.changed();
}

void CoreCheck::clean(const Spot& spot, uint64_t begin, uint64_t end) {
    const uint64_t line = begin / kLine * kLine;
    if (begin != line && cache_.is_dirty(line, begin)) {
        Finding made;
        made.kind = FindingKind::partial_clean;
        Access at;
        at.site = Spots::with_operand(spots.number(spot), 0);
        made.first = side(at);
        made.begin = line;
        made.end = begin;
        findings_.add(std::move(made));
    }
    cache_.clean(begin, end);
}

// MemDsbT: all, global memory, UB, all in sequence. It waits for the scalar unit's own accesses of that scope.
void CoreCheck::barrier_of_scalar(uint64_t scope) {
    constexpr uint64_t kGlobal = 1, kUnified = 2;
    // Scalar accesses are in order: what came before the last one of that scope has ended, too.
    const uint32_t last = scope == kGlobal ? last_global_ : scope == kUnified ? last_local_ : order.issued_so_far(Agent::S);
    const uint32_t ended = std::max(order.control().own[Agent::S], last);
    order.control().join(order.of(Agent::S));
    order.control().own[Agent::S] = ended;
    order.changed();
    if (scope != kUnified) cache_.barrier();
}

// --- for messages

void CoreCheck::synchronised(SyncMark mark, const Spot& spot) {
    mark.site = Spots::with_operand(spots.number(spot), 0);
    mark.issued = order.numbers();
    constexpr size_t kAcrossKept = 4096;
    const bool across = mark.kind == SyncMark::cross_set || mark.kind == SyncMark::cross_wait || mark.kind == SyncMark::other;
    if (across && across_.size() < kAcrossKept) across_.push_back(mark);
    set_across_ |= mark.kind == SyncMark::cross_set;
    if (syncs_.size() < kSyncsKept) syncs_.push_back(mark);
    else syncs_[next_sync_] = mark;
    next_sync_ = (next_sync_ + 1) % kSyncsKept;
}

std::vector<Standing> CoreCheck::order_near(const Access& x) const {
    std::vector<Standing> near;
    const size_t from = syncs_.size() < kSyncsKept ? 0 : next_sync_;
    for (size_t i = 0; i < syncs_.size(); i++) {
        const SyncMark& mark = syncs_[(from + i) % syncs_.size()];
        near.push_back({mark, spots[mark.site], mark.issued[x.agent] >= x.count ? At::between : At::before_first});
    }
    return near;
}

void CoreCheck::across_near(const Access& access, At at, std::vector<Standing>& to) const {
    constexpr size_t kMost = 4;
    const Agent agent = access.agent == Agent::D ? Agent::S : access.agent;
    const auto count = access.agent == Agent::D ? static_cast<uint32_t>(access.value) : access.count;
    const auto first =
        std::partition_point(across_.begin(), across_.end(), [&](const SyncMark& mark) { return mark.issued[agent] < count; });
    auto from = at == At::behind_first ? first : first - std::min<ptrdiff_t>(kMost, first - across_.begin());
    const auto end = at == At::behind_first ? first + std::min<ptrdiff_t>(kMost, across_.end() - first) : first;
    for (; from != end; ++from) to.push_back({*from, spots[from->site], at});
}

void CoreCheck::end() {
    cache_.end();
    for (Shadow& each : local_) each.clear();
}

} // namespace aclimb::check
