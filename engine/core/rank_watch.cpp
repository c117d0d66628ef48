// SPDX-License-Identifier: Apache-2.0
#include "core/rank_watch.h"

#include <algorithm>
#include <thread>

#include "aclimb/op.h"
#include "core/launch.h"
#include "core/worker.h"
#include "isa/rows.h"

namespace aclimb {
namespace {

constexpr uint32_t kReadsBeforeYield = 64;
constexpr uint64_t kLookNs = 50'000'000;    // from one look to the next
constexpr uint64_t kSilentNs = 500'000'000; // who has not looked for so long computes

// Leaked on purpose: threads outlive static destruction.
std::mutex& watches_mutex = *new std::mutex;
std::vector<RankWatch*>& watches = *new std::vector<RankWatch*>; // of launches that run now

} // namespace

RankWatch::RankWatch(const std::shared_ptr<const Rank> (&ranks)[kRankGroups]) {
    for (int i = 0; i < kRankGroups; i++) {
        ranks_[i] = ranks[i];
        if (ranks[i]) patience_ns_ = std::max(patience_ns_, ranks[i]->group->patience_ns());
    }
}

RankWatch::~RankWatch() { forget(); }

void RankWatch::forget() {
    std::lock_guard lock(watches_mutex);
    std::erase(watches, this);
}

void RankWatch::launched(Launch& launch) {
    units_.assign(static_cast<size_t>(launch.units), Unit{});
    finished_ = 0;
    still_since_ = 0;
    looked_at_ns_ = now_ns();
    told_ = false;
    launch.rank_watch = this;
    launch.meetings.clear();
    kernel_ = launch.kernel->name;
    std::lock_guard lock(watches_mutex);
    watches.push_back(this);
}

bool RankWatch::ended(Launch& launch) {
    forget();
    launch.rank_watch = nullptr;
    const bool failed = launch.fault || launch.cancelled;
    for (const auto& rank : ranks_)
        if (rank) rank->group->ended(rank->index, launch.kernel->name + (failed ? " failed" : " has ended"));
    for (const RankMeeting& each : launch.meetings)
        ranks_[each.group]->group->server().leave(each.number, ranks_[each.group]->index, failed);
    return true;
}

bool RankWatch::stands(Core& core) {
    units_[static_cast<size_t>(core.unit)].busy = true;
    if (const uint64_t now = now_ns(); now - looked_at_ns_ >= kLookNs) look(core, now);
    if (told_) return true;
    std::this_thread::yield();
    yield_core(core);
    return told_;
}

Observer::Then RankWatch::issued(Core& core, Head& head) {
    // A word that another rank waits for comes behind the data that this one wrote before; and the other way round.
    std::atomic_thread_fence(std::memory_order_acq_rel);
    const Row& row = row_of(head.op);
    Unit& unit = units_[static_cast<size_t>(core.unit)];
    unit.busy = true;
    bool read = false;
    for (int i = 0; i < row.operands; i++) {
        if (!is_in_gm(head, row.operand[i])) continue;
        const uint64_t addr = place_of(head, row.operand[i]).addr;
        if (writes(row.operand[i].role)) {
            unit.wrote = true;
            unit.reads = 0;
        } else { // DataCacheCleanAndInvalid too: who waits by a plain pointer issues nothing else
            unit.low = std::min(unit.low, addr);
            unit.high = std::max(unit.high, addr);
            read = true;
        }
    }
    if (!read || ++unit.reads < kReadsBeforeYield) return Then::go_on;
    unit.reads = 0;
    if (const uint64_t now = now_ns(); now - looked_at_ns_ >= kLookNs) look(core, now);
    if (told_) give_up(core);
    std::this_thread::yield(); // there may be more ranks than host cores
    if (!core.scheduled) yield_core(core);
    return Then::go_on;
}

bool RankWatch::is_still(Launch& launch) {
    int32_t waiting = 0;
    for (Unit& each : units_) {
        waiting += each.busy && !each.wrote && each.low == each.last_low && each.high == each.last_high;
        each.last_low = each.low;
        each.last_high = each.high;
        each.low = ~uint64_t{0};
        each.high = 0;
        each.busy = each.wrote = false;
    }
    std::lock_guard lock(launch.mutex);
    const bool same = finished_ == launch.finished;
    finished_ = launch.finished;
    return same && waiting + launch.blocked + launch.finished == launch.units;
}

void RankWatch::look(Core& core, uint64_t now) {
    const bool still = is_still(*core.launch);
    if (!still) still_since_ = 0;
    else if (!still_since_) still_since_ = now;
    looked_at_ns_ = now;
    if (!has_been_still(now)) return;
    std::lock_guard lock(watches_mutex);
    if (!all_wait(now)) return;
    for (RankWatch* each : watches) each->tell();
}

void RankWatch::tell() {
    if (told_) return; // it may be reading them
    others_.clear();
    for (const auto& own : ranks_) {
        if (!own || !others_.empty()) continue;
        for (int32_t i = 0; i < own->group->size(); i++) {
            if (i == own->index) continue;
            const RankWatch* other = running(*own, i);
            others_.push_back("rank " + std::to_string(i) + ": " + (other ? other->kernel_ + " waits too" : own->group->last_of(i)));
        }
    }
    told_ = true;
}

const RankWatch* RankWatch::running(const Rank& of, int32_t index) {
    for (const RankWatch* each : watches)
        for (const auto& rank : each->ranks_)
            if (rank && rank->group == of.group && rank->index == index) return each;
    return nullptr;
}

bool RankWatch::has_been_still(uint64_t now) const {
    const uint64_t since = still_since_;
    return since && now > since && now - since > patience_ns_ && now - std::min(now, looked_at_ns_.load()) < kSilentNs;
}

bool RankWatch::all_wait(uint64_t now) const {
    for (const RankWatch* each : watches)
        if (!each->has_been_still(now)) return false;
    for (const auto& rank : ranks_)
        if (rank && can_still_run(*rank)) return false;
    return true;
}

// A device with tasks of which none is a kernel that runs: what comes next there may be what is waited for.
bool RankWatch::can_still_run(const Rank& own) const {
    for (int32_t i = 0; i < own.group->size(); i++)
        if (own.group->has_tasks(i) && !running(own, i)) return true;
    return false;
}

void RankWatch::give_up(Core& core) {
    const Unit& unit = units_[static_cast<size_t>(core.unit)];
    const uint64_t addr = unit.low != ~uint64_t{0} ? unit.low : unit.last_low;
    auto fault = core.make_fault("rank_hang");
    fault.number("limit_ms", static_cast<int64_t>(patience_ns_ / 1'000'000)).number("addr", static_cast<int64_t>(addr));
    if (const RankWindow* window = window_at(*core.launch, addr, 1))
        fault.text("window", window->name).number("rank", window->rank).number("near_addr", static_cast<int64_t>(window->addr));
    for (const auto& other : others_) fault.text("wait", other);
    core.fail(std::move(fault));
}

} // namespace aclimb
