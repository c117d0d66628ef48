// SPDX-License-Identifier: Apache-2.0
#include "timing/simulation.h"

#include <algorithm>

namespace aclimb::timing {

Simulation::Simulation(const Parameters& parameters, L2& l2, const Work& work, bool trace)
    : p_(parameters), l2_(l2), work_(work), memory_(parameters, l2), trace_(trace), aics_(aics_per_block(work.type)),
      aivs_(aivs_per_block(work.type)), flag_issue_(p_.cycles(p_.flag_issue)), api_issue_(p_.cycles(p_.api_issue)),
      handover_(p_.cycles(p_.flag_handover)), barrier_(p_.cycles(p_.barrier_v)), mte_issue_(p_.cycles(p_.mte_issue)),
      head_(p_.cycles(p_.v_head)), depth_(std::clamp<uint32_t>(static_cast<uint32_t>(p_.queue_depth), 1, kMaxDepth)) {}

LaunchTiming Simulation::run() {
    l2_.start(p_.l2_start, p_.sharers);
    const int per_block = aics_ + aivs_;
    const auto groups =
        static_cast<uint32_t>(std::clamp<int64_t>(p_.blocks_at_once(aics_, aivs_), 1, std::max<int64_t>(1, work_.num_blocks)));
    cores_.resize(size_t{groups} * per_block);
    running_.assign(groups, 0);
    core_of_unit_.assign(work_.tapes.size(), -1);
    out_.cores.resize(work_.tapes.size());
    if (trace_) {
        out_.results.resize(work_.tapes.size());
        for (size_t i = 0; i < work_.tapes.size(); i++) out_.results[i].resize(work_.tapes[i].size());
    }
    for (const Tape& tape : work_.tapes) out_.instructions += tape.size();
    cross_.reset(work_.num_blocks, aics_, aivs_);
    const Time head = p_.launch_head(aics_, aivs_);
    dispatcher_free_ = head;
    for (uint32_t group = 0; group < groups && next_block_ < work_.num_blocks; group++) {
        start_block(next_block_++, group, dispatcher_free_);
        dispatcher_free_ += Parameters::ns(p_.dispatch_ns);
    }
    advance_raised();
    while (!events_.empty()) {
        const Event event = events_.top();
        events_.pop();
        handle(event);
        advance_raised();
    }
    out_.task = head;
    for (CoreModel& core : cores_)
        if (core.running) { // only where the recording was cut: what it waits for was never recorded
            core.at = core.tape->size();
            end_core(core);
            out_.cut = true;
        }
    for (const CoreTiming& core : out_.cores) out_.task = std::max(out_.task, core.end);
    out_.task += Parameters::ns(p_.tail_ns);
    out_.task += static_cast<Time>(static_cast<double>(out_.task - head) * p_.cube_clock_loss * multiplying());
    out_.cut |= work_.cut;
    for (const auto& [key, value] : stalls_) {
        const auto& [pipe, part, cause, type, what, site, set_site] = key;
        out_.stalls.push_back({static_cast<Pipe>(pipe), static_cast<Part>(part), static_cast<Cause>(cause), static_cast<CoreType>(type),
                               what, site, set_site, value.first, value.second});
    }
    std::stable_sort(out_.stalls.begin(), out_.stalls.end(), [](const Stall& a, const Stall& b) { return a.total > b.total; });
    return std::move(out_);
}

// Which part of the AICs multiplies: the chip lowers its clock for them. Cores count cycles at the rated clock, and so does everything
// else.
double Simulation::multiplying() const {
    int64_t last = -1;
    for (const CoreTiming& core : out_.cores)
        if (core.pipes[static_cast<int>(Pipe::M)].instructions) last = std::max<int64_t>(last, core.slot);
    return p_.aic_cores ? std::min(1.0, static_cast<double>(last + 1) / p_.aic_cores) : 0;
}

void Simulation::start_block(int64_t block, uint32_t group, Time when) {
    const int per_block = aics_ + aivs_;
    running_[group] = per_block;
    for (int i = 0; i < per_block; i++) {
        const auto unit = static_cast<int32_t>(block * per_block + i);
        CoreTiming& timing = out_.cores[unit];
        timing.unit = unit;
        timing.block = block;
        timing.type = i < aics_ ? CoreType::AIC : CoreType::AIV;
        timing.sub = i < aics_ ? 0 : i - aics_;
        timing.slot = timing.type == CoreType::AIC ? static_cast<int32_t>(group) : static_cast<int32_t>(group) * aivs_ + timing.sub;
        const uint32_t index = group * per_block + i;
        cores_[index].begin(work_.tapes[unit], timing, trace_ ? out_.results[unit].data() : nullptr, when);
        if (work_.second_buffer) cores_[index].add_buffers(when);
        core_of_unit_[unit] = static_cast<int32_t>(index);
        raised_.push_back(unit);
    }
}

void Simulation::advance_raised() {
    while (!raised_.empty()) {
        const int32_t unit = raised_.back();
        raised_.pop_back();
        const int32_t index = core_of_unit_[unit];
        if (index >= 0 && cores_[index].running) advance(cores_[index]);
    }
}

void Simulation::advance(CoreModel& core) {
    for (bool moved = true; moved;) {
        moved = run_scalar(core);
        for (int i = 1; i < kPipes; i++)
            if (!core.pipes[i].empty() && !core.pipes[i].serving) moved |= run_pipe(core, static_cast<Pipe>(i));
    }
    if (core.at == core.tape->size() && !core.reading && core.drained()) end_core(core);
}

void Simulation::end_core(CoreModel& core) {
    const Time end = core.all_done();
    core.timing->end = end;
    core.running = false;
    for (PipeModel& pipe : core.pipes) pipe.account(end, Part::empty);
    const auto index = static_cast<uint32_t>(&core - cores_.data());
    const uint32_t group = index / (aics_ + aivs_);
    core_of_unit_[core.timing->unit] = -1;
    if (--running_[group]) return;
    Time last = end;
    for (int i = 0; i < aics_ + aivs_; i++) last = std::max(last, cores_[group * (aics_ + aivs_) + i].timing->end);
    if (next_block_ < work_.num_blocks) events_.push({last, group, kBlockEnd});
}

void Simulation::handle(const Event& event) {
    if (event.pipe == kBlockEnd) {
        if (next_block_ >= work_.num_blocks) return;
        dispatcher_free_ = std::max(dispatcher_free_, event.when) + Parameters::ns(p_.dispatch_ns);
        start_block(next_block_++, event.core, dispatcher_free_);
        return;
    }
    CoreModel& core = cores_[event.core];
    if (event.pipe == static_cast<uint8_t>(Pipe::S)) {
        const TapeEntry& entry = (*core.tape)[core.at];
        const Time done = memory_.read_word(entry.addr, event.core, event.when, core.timing->counters);
        core.reading = false;
        scalar_done(core, entry, event.when, done, Part::memory, Cause::memory, 0, 0);
        core.at++;
        raised_.push_back(core.timing->unit);
        return;
    }
    PipeModel& pipe = core.pipes[event.pipe];
    bool last = false;
    Time now = event.when;
    for (;;) {
        now = serve(core, pipe, now, last);
        if (last) break;
        if (!events_.empty() && events_.top().when <= now) { // somebody else is first
            events_.push({now, event.core, event.pipe});
            return;
        }
    }
    end_transfer(core, pipe, now);
    raised_.push_back(core.timing->unit);
}

Time Simulation::serve(CoreModel& core, PipeModel& pipe, Time now, bool& last) {
    const auto index = static_cast<uint32_t>(&core - cores_.data());
    return memory_.serve(pipe.transfer, core.timing->type, index, now, core.timing->counters, last);
}

void Simulation::end_transfer(CoreModel& core, PipeModel& pipe, Time served) {
    const Transfer& transfer = pipe.transfer;
    const TapeEntry& entry = *transfer.entry;
    const bool writes = entry.info & kWrites;
    const Time own = std::max(transfer.own, mte_issue_);
    Time latency = Parameters::ns(entry.info & kWrites ? p_.gm_wr_lat_ns : transfer.missed ? p_.gm_rd_lat_miss_ns : p_.gm_rd_lat_hit_ns);
    if (entry.info & kFix) latency += p_.cycles(p_.fix_fixed);
    // A write is drained when the rest of it fits in a buffer: its pipe goes on. It is done when all of it is in memory: its flag fires.
    pipe.free = std::max(writes ? transfer.drained : served, transfer.start + own);
    pipe.served = served;
    // The rows of an Nd2Nz overlap their latencies: the last one is there with the row, once the first is.
    const Time covered = entry.info & kNd2Nz ? std::min(latency, own - transfer.streamed) : 0;
    const Time done = std::max(pipe.free, served) + latency - covered;
    pipe.account(transfer.start + own, Part::busy);
    const Time waited = pipe.account(pipe.free + latency - covered, Part::memory);
    if (waited) stall(core, entry.pipe, Part::memory, Cause::memory, 0, entry.site, 0, waited);
    pipe.done = std::max(pipe.done, done);
    pipe.serving = false;
    pipe.sum->instructions++;
    pipe.sum->bytes += transfer.bytes;
    Counters& counters = core.timing->counters;
    const int path = static_cast<int>(entry.path);
    counters.path_bytes[path] += transfer.bytes;
    keep(core, transfer.index, transfer.start, pipe.free, done, done - transfer.start - own);
}

void Simulation::stall(const CoreModel& core, Pipe pipe, Part part, Cause cause, uint32_t what, uint32_t site, uint32_t set_site,
                       Time spent) {
    auto& [total, count] = stalls_[{static_cast<uint8_t>(pipe), static_cast<uint8_t>(part), static_cast<uint8_t>(cause),
                                    static_cast<int32_t>(core.timing->type), what, site, set_site}];
    total += spent;
    count++;
}

void Simulation::keep(CoreModel& core, uint32_t index, Time start, Time free, Time done, Time waits) {
    if (!core.results) return;
    const auto after = [&](Time when) { return static_cast<uint32_t>(std::clamp<Time>(when, 0, UINT32_MAX)); };
    Result& result = core.results[index];
    result.start = start;
    result.free = after(free - start);
    result.done = after(done - start);
    result.waits = after(waits);
}

} // namespace aclimb::timing
