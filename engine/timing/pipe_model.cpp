// SPDX-License-Identifier: Apache-2.0
// The other pipes in time: each takes the entries of its queue in order.
#include <algorithm>

#include "aclimb/op.h"
#include "timing/simulation.h"

namespace aclimb::timing {

bool Simulation::run_pipe(CoreModel& core, Pipe which) {
    PipeModel& pipe = core.pipes[static_cast<int>(which)];
    bool moved = false;
    while (!pipe.empty() && !pipe.serving && step_pipe(core, which, pipe)) moved = true;
    return moved;
}

bool Simulation::step_pipe(CoreModel& core, Pipe which, PipeModel& pipe) {
    const auto [index, arrival] = pipe.head();
    const TapeEntry& entry = (*core.tape)[index];
    if (entry.kind == EntryKind::wait_flag) return pipe_wait(core, which, pipe, entry, index, arrival);
    if ((entry.info & kUnitFlag) && entry.pipe == Pipe::FIX && core.pipes[static_cast<int>(Pipe::M)].sum->instructions < entry.c)
        return false; // the unit flag holds it behind the Mmads before it
    if (const Time spent = pipe.account(arrival, Part::empty)) stall(core, which, Part::empty, Cause::empty, 0, entry.site, 0, spent);
    const Time effect = std::max({arrival, pipe.done, pipe.ready}); // of what is ordered behind everything before it
    switch (entry.kind) {
    case EntryKind::set_flag: {
        core.flag(entry.a).fired.push_back({effect, index});
        pipe.leave(std::max({arrival, pipe.free, pipe.ready}));
        keep(core, index, effect, effect, effect, 0);
        return true;
    }
    case EntryKind::cross_set:
        cross_.set(core.timing->unit, static_cast<int>(entry.a >> 8), static_cast<int>(entry.a & 15), effect, entry.site,
                   entry.info & kSyncAll, p_, raised_);
        pipe.leave(std::max({arrival, pipe.free, pipe.ready}));
        keep(core, index, effect, effect, effect, 0);
        return true;
    case EntryKind::post: // an answer, by a cross-core flag
        cross_.post(core.timing->unit, entry.addr, effect + p_.cycles(p_.xcore_flag), entry.site, raised_);
        pipe.leave(std::max({arrival, pipe.free, pipe.ready}));
        keep(core, index, effect, effect, effect, 0);
        return true;
    case EntryKind::barrier: {
        const Time until = std::max(arrival, pipe.done + barrier_);
        if (const Time spent = pipe.account(until, Part::flag)) stall(core, which, Part::flag, Cause::barrier, 0, entry.site, 0, spent);
        pipe.ready = std::max(pipe.ready, until);
        pipe.leave(until);
        keep(core, index, until, until, until, 0);
        return true;
    }
    case EntryKind::move: {
        const Time taken = std::max({arrival, pipe.ready, pipe.free});
        if (const Time spent = pipe.account(taken, Part::flag)) stall(core, which, Part::flag, Cause::flag, 0, entry.site, 0, spent);
        const Time start = follow(core, pipe, entry, taken);
        memory_.begin(pipe.transfer, entry, index, start);
        pipe.leave(start);
        pipe.serving = true;
        events_.push({std::max(start, pipe.served), static_cast<uint32_t>(&core - cores_.data()), static_cast<uint8_t>(which)});
        return true;
    }
    default: compute(core, which, pipe, entry, index, arrival); return true;
    }
}

// With the unit flag FIX takes its instruction at once and follows M from then on: an active pipe, although M sets the pace.
Time Simulation::follow(const CoreModel& core, PipeModel& pipe, const TapeEntry& entry, Time taken) {
    if (!(entry.info & kUnitFlag) || entry.pipe != Pipe::FIX) return taken;
    const Time start = std::max(taken, core.pipes[static_cast<int>(Pipe::M)].done);
    pipe.account(start, Part::busy);
    return start;
}

bool Simulation::pipe_wait(CoreModel& core, Pipe which, PipeModel& pipe, const TapeEntry& entry, uint32_t index, Time arrival) {
    FlagQueue& queue = core.flag(entry.a);
    if (queue.taken == queue.fired.size()) return false;
    const FlagQueue::Fired fired = queue.fired[queue.taken++];
    if (queue.taken == queue.fired.size()) {
        queue.fired.clear();
        queue.taken = 0;
    }
    const uint32_t set_site = fired.index == FlagQueue::kNobody ? 0 : (*core.tape)[fired.index].site;
    if (const Time spent = pipe.account(arrival, Part::empty)) stall(core, which, Part::empty, Cause::empty, 0, entry.site, 0, spent);
    const Time until = std::max(arrival, fired.when + handover_);
    if (const Time spent = pipe.account(until, Part::flag)) {
        stall(core, which, Part::flag, Cause::flag, entry.a, entry.site, set_site, spent);
    }
    pipe.ready = std::max(pipe.ready, until);
    pipe.leave(std::max(until, pipe.free));
    keep(core, index, arrival, until, until, until - arrival);
    if (core.results) core.results[index].link = fired.index;
    return true;
}

void Simulation::compute(CoreModel& core, Pipe which, PipeModel& pipe, const TapeEntry& entry, uint32_t index, Time arrival) {
    Time base = std::max(arrival, pipe.ready);
    Time cost = 0, head = 0, tail = 0, conflict = 0;
    Cause cause = Cause::flag;
    if (entry.kind == EntryKind::vector) {
        const VectorCost& row = entry.info & kCastWidth ? p_.cast_wide : p_.vector[entry.op];
        const double slope = entry.info & kWide ? row.b32 : row.b16, repeats = entry.a, factor = entry.b / 16.0;
        cost = p_.cycles(repeats * slope * factor + (entry.info & kCounted ? p_.v_counter_extra : 0));
        conflict = p_.cycles(repeats * slope * (factor - 1));
        head = head_;
        tail = p_.cycles(std::max(0.0, row.fixed - p_.v_head));
        if (entry.info & kDependent && pipe.done > base) {
            base = pipe.done;
            cause = Cause::dependency;
        }
        count_vector(core.timing->counters, entry, cost, conflict);
    } else if (entry.kind == EntryKind::mmad) {
        cost = p_.cycles(p_.mmad_dt + entry.a * (entry.b / p_.cube_k(static_cast<int>(entry.stride))));
        tail = p_.cycles(p_.mmad_isolated - p_.mmad_dt);
        Counters& counters = core.timing->counters;
        (entry.info & kInteger ? counters.mmads_int : counters.mmads)++;
        (entry.info & kInteger ? counters.macs_int : counters.macs) += uint64_t{entry.c} * 256;
        (entry.info & kInteger ? counters.cube_int8 : counters.cube_fp16) += cost;
    } else {
        const double rate = entry.path == Path::l1_l0a   ? p_.l1_l0a
                            : entry.path == Path::l1_l0b ? p_.l1_l0b
                            : entry.path == Path::l1_bt  ? p_.l1_bt
                            : entry.path == Path::l0c_l1 ? p_.l0c_l1
                                                         : 256;
        cost = std::max(p_.bytes_by(entry.a, entry.b ? rate * 16 / entry.b : rate), p_.cycles(1));
        if (which == Pipe::MTE1) cost += p_.cycles(p_.mte1_fixed); // the next load does not overlap with it
        else tail = p_.cycles(which == Pipe::FIX ? p_.fix_fixed : which == Pipe::V ? p_.vector[static_cast<int>(Op::vcopy)].fixed : 0);
        core.timing->counters.path_bytes[static_cast<int>(entry.path)] += entry.a;
        pipe.sum->bytes += entry.a;
    }
    const Time taken = std::max(base, pipe.free);
    if (const Time spent = pipe.account(taken, Part::flag)) stall(core, which, Part::flag, cause, 0, entry.site, 0, spent);
    const Time start = follow(core, pipe, entry, taken);
    if (start > taken) base = start;
    // The head overlaps with what runs before: later input never means an earlier end.
    pipe.leave(start);
    const Time free = std::max(base + head, pipe.free) + cost, done = free + tail;
    pipe.account(done, Part::busy);
    pipe.free = free;
    pipe.done = std::max(pipe.done, done);
    pipe.sum->instructions++;
    keep(core, index, start, free, done, 0);
}

void Simulation::count_vector(Counters& counters, const TapeEntry& entry, Time cost, Time conflict) {
    const bool wide = entry.info & kWide;
    counters.bank_conflict += conflict;
    if (entry.info & kInteger) {
        counters.lanes_int += entry.c;
        (wide ? counters.vec_int32 : counters.vec_int16) += cost;
    } else if (static_cast<Op>(entry.op) == Op::vconv || static_cast<Op>(entry.op) == Op::vdup || static_cast<Op>(entry.op) == Op::vcopy) {
        counters.vec_misc += cost;
    } else {
        (wide ? counters.lanes_f32 : counters.lanes_f16) += entry.c;
        (wide ? counters.vec_f32 : counters.vec_f16) += cost;
    }
    const uint64_t bytes = uint64_t{entry.a} * 256;
    counters.vector_write += bytes;
    counters.vector_read += bytes * (entry.stride & 3); // how many sources it reads
}

} // namespace aclimb::timing
