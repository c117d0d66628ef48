// SPDX-License-Identifier: Apache-2.0
// The scalar unit in time: it issues one entry after the other and stands still where the hardware's would.
#include <algorithm>
#include <cmath>

#include "timing/simulation.h"

namespace aclimb::timing {

namespace {

double words_of(const TapeEntry& entry) { return std::max(1.0, std::ceil(entry.a / 8.0)); }

} // namespace

bool Simulation::run_scalar(CoreModel& core) {
    const uint32_t before = core.at;
    while (core.at < core.tape->size() && !core.reading && issue(core, (*core.tape)[core.at])) core.at++;
    return core.at != before;
}

// What the scalar unit does before an entry takes effect: the operations since the one before, where they are counted, and the call. An
// access of the scalar unit itself is its own cost.
Time Simulation::issue_time(const TapeEntry& entry) const {
    const Time before = entry.scalars ? p_.cycles(p_.scalar_cycle * entry.scalars) : 0;
    switch (entry.kind) {
    case EntryKind::set_flag:
    case EntryKind::wait_flag:
    case EntryKind::barrier: return before + flag_issue_;
    case EntryKind::scalar_ub:
    case EntryKind::scalar_gm: return before;
    case EntryKind::scalars: return before + p_.cycles(p_.scalar_cycle * entry.a);
    default: break;
    }
    if (!(entry.info & kByMatmul)) return before + api_issue_;
    switch (entry.kind) {
    case EntryKind::mmad: return before + p_.cycles(p_.matmul_step);
    case EntryKind::move: return before + p_.cycles(p_.matmul_copy);
    default: return before + api_issue_;
    }
}

bool Simulation::issue(CoreModel& core, const TapeEntry& entry) {
    const Time issued = core.now + issue_time(entry);
    if (entry.pipe != Pipe::S && entry.pipe != Pipe::ALL) return push(core, entry, issued);
    switch (entry.kind) {
    case EntryKind::set_flag: core.flag(entry.a).fired.push_back({issued, core.at}); break;
    case EntryKind::wait_flag:
    case EntryKind::cross_wait:
    case EntryKind::meet:
    case EntryKind::wait_round:
    case EntryKind::exchange:
    case EntryKind::take: return scalar_wait(core, entry, issued);
    case EntryKind::arrive: cross_.arrive(entry.addr, entry.b, issued + Parameters::ns(p_.gm_wr_lat_ns), raised_); break;
    case EntryKind::post: return scalar_post(core, entry, issued);
    case EntryKind::barrier: return wait_drained(core, entry, issued, 0, Cause::barrier);
    case EntryKind::scalar_ub: return wait_drained(core, entry, issued, p_.cycles(p_.ub_scalar), Cause::sync);
    case EntryKind::scalar_gm: return scalar_memory(core, entry, issued);
    case EntryKind::sub_kernel: return sub_kernel(core, entry, issued);
    case EntryKind::drop_line: core.dcache_drop(entry.addr, entry.a != 0); break;
    default: break;
    }
    scalar_done(core, entry, issued, issued, Part::busy, Cause::empty, 0, 0);
    return true;
}

// Into the queue of its pipe, when there is room.
bool Simulation::push(CoreModel& core, const TapeEntry& entry, Time issued) {
    PipeModel& pipe = core.pipes[static_cast<int>(entry.pipe)];
    if (pipe.pushed - pipe.popped >= depth_) return false;
    PipeModel& scalar = core.pipes[0];
    scalar.account(issued, Part::busy);
    Time arrival = issued;
    if (pipe.pushed >= depth_) arrival = std::max(arrival, pipe.departed[(pipe.pushed - depth_) % kMaxDepth]);
    if (const Time waited = scalar.account(arrival, Part::flag)) {
        core.timing->counters.queue_full[static_cast<int>(entry.pipe)] += waited;
        stall(core, Pipe::S, Part::flag, Cause::queue_full, static_cast<uint32_t>(entry.pipe), entry.site, 0, waited);
    }
    pipe.slots[pipe.pushed++ % kMaxDepth] = {core.at, arrival};
    core.now = arrival;
    scalar.sum->instructions++;
    return true;
}

bool Simulation::scalar_wait(CoreModel& core, const TapeEntry& entry, Time issued) {
    const int32_t unit = core.timing->unit;
    Time until = 0;
    uint32_t set_site = 0;
    bool by_aic = false;
    if (entry.kind == EntryKind::wait_flag) {
        FlagQueue& queue = core.flag(entry.a);
        if (queue.taken == queue.fired.size()) return false;
        const FlagQueue::Fired& fired = queue.fired[queue.taken++];
        until = fired.when + handover_;
        set_site = fired.index == FlagQueue::kNobody ? 0 : (*core.tape)[fired.index].site;
        if (core.results) core.results[core.at].link = fired.index;
    } else if (entry.kind == EntryKind::cross_wait) {
        if (!cross_.take(unit, static_cast<int>(entry.a), until, set_site, by_aic)) return false;
    } else if (entry.kind == EntryKind::take) {
        if (!cross_.take_post(unit, entry.addr, until, set_site, by_aic)) return false;
        if (!by_aic) until = std::max(issued, until) + Parameters::ns(p_.message_serve_ns);
    } else if (entry.kind == EntryKind::exchange) {
        if (entry.a && !cross_.take_post(unit, entry.addr, until, set_site, by_aic)) return false;
        if (until) until += Parameters::ns(p_.gm_rd_lat_hit_ns);
        const Time put = std::max(issued, until) + Parameters::ns(p_.gm_wr_lat_ns);
        cross_.post(unit, static_cast<uint64_t>(entry.stride), put, entry.site, raised_);
    } else {
        const bool both = entry.kind == EntryKind::meet;
        if (both && !cross_.waits(unit, entry.addr, entry.b)) cross_.arrive(entry.addr, entry.b, issued, raised_);
        if (!cross_.pass(unit, entry.addr, entry.b, entry.a, until)) return false;
        until += Parameters::ns(both ? p_.soft_sync_ns : p_.gm_rd_lat_hit_ns);
    }
    const Cause cause = entry.kind == EntryKind::wait_flag    ? Cause::flag
                        : entry.kind == EntryKind::cross_wait ? Cause::cross
                        : entry.kind == EntryKind::take       ? Cause::message
                                                              : Cause::sync;
    scalar_done(core, entry, issued, until, Part::flag, cause, entry.a | (by_aic ? kByAic : 0), set_site);
    return true;
}

// An AIV writes its message to global memory, where the AIC looks for it.
bool Simulation::scalar_post(CoreModel& core, const TapeEntry& entry, Time issued) {
    const Time sent = issued + Parameters::ns(p_.message_ns);
    scalar_done(core, entry, sent, sent, Part::busy, Cause::empty, 0, 0);
    cross_.post(core.timing->unit, entry.addr, sent + Parameters::ns(p_.gm_wr_lat_ns + p_.gm_rd_lat_hit_ns), entry.site, raised_);
    return true;
}

// Until every pipe has ended what it has; then `extra` more.
bool Simulation::wait_drained(CoreModel& core, const TapeEntry& entry, Time issued, Time extra, Cause cause) {
    if (!core.drained()) return false;
    const Time until = std::max(issued, core.all_done());
    scalar_done(core, entry, issued, until, Part::flag, cause, 0, 0);
    if (!extra) return true;
    core.now += extra;
    core.pipes[0].account(core.now, Part::busy);
    return true;
}

// The call of a sub-kernel; the first one comes behind the entry of the SuperKernel itself.
bool Simulation::sub_kernel(CoreModel& core, const TapeEntry& entry, Time issued) {
    const double ns = entry.b ? 0 : p_.sk_call_ns + (core.called ? 0 : p_.sk_entry_ns);
    core.called = true;
    const Time until = issued + Parameters::ns(ns);
    scalar_done(core, entry, until, until, Part::busy, Cause::empty, 0, 0);
    return true;
}

// Through the data cache, 8 bytes at a time. A store is not waited for.
bool Simulation::scalar_memory(CoreModel& core, const TapeEntry& entry, Time issued) {
    if (core.dcache_hit(entry.addr) || entry.info & kWrites) {
        const Time until = issued + p_.cycles(p_.dcache_hit * words_of(entry));
        scalar_done(core, entry, until, until, Part::busy, Cause::empty, 0, 0);
        return true;
    }
    core.pipes[0].account(issued, Part::busy);
    core.reading = true;
    events_.push({issued, static_cast<uint32_t>(&core - cores_.data()), static_cast<uint8_t>(Pipe::S)});
    return false;
}

void Simulation::scalar_done(CoreModel& core, const TapeEntry& entry, Time issued, Time until, Part part, Cause cause, uint32_t what,
                             uint32_t set_site) {
    PipeModel& scalar = core.pipes[0];
    const Time start = core.now;
    scalar.account(issued, Part::busy);
    core.now = std::max(issued, until);
    if (const Time waited = scalar.account(core.now, part); waited && part != Part::busy) {
        if (part == Part::flag) core.timing->counters.scalar_flag += waited;
        stall(core, Pipe::S, part, cause, what, entry.site, set_site, waited);
    }
    scalar.sum->instructions++;
    keep(core, core.at, start, core.now, core.now, core.now - issued);
}

} // namespace aclimb::timing
