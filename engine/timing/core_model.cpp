// SPDX-License-Identifier: Apache-2.0
#include "timing/core_model.h"

#include <algorithm>
#include <utility>

namespace aclimb::timing {
namespace {

// The scalar unit's data cache, 32 KiB. The place of a line follows from its address within 4 KiB: where the host maps memory makes no
// difference.
constexpr uint32_t kWays = 8, kSets = 32 * 1024 / kScalarLine / kWays;

} // namespace

void CoreModel::begin(const Tape& new_tape, CoreTiming& new_timing, Result* new_results, Time start) {
    tape = &new_tape;
    timing = &new_timing;
    results = new_results;
    at = 0;
    now = start;
    reading = false;
    running = true;
    called = false;
    timing->start = start;
    for (int i = 0; i < kPipes; i++) {
        PipeModel& pipe = pipes[i];
        pipe.pushed = pipe.popped = 0;
        pipe.free = pipe.done = pipe.ready = pipe.cursor = pipe.served = start;
        pipe.serving = false;
        pipe.sum = &timing->pipes[i];
    }
    for (FlagQueue& queue : flags) {
        queue.fired.clear();
        queue.taken = 0;
    }
    dcache.assign(kWays * kSets, ~uint64_t{0});
    dcache_used.assign(kWays * kSets, 0);
    dcache_clock = 0;
}

void CoreModel::add_buffers(Time start) {
    constexpr std::pair<Pipe, Pipe> kFrees[] = {{Pipe::V, Pipe::MTE2},    {Pipe::MTE3, Pipe::V}, {Pipe::MTE3, Pipe::MTE2},
                                                {Pipe::MTE1, Pipe::MTE2}, {Pipe::M, Pipe::MTE1}, {Pipe::FIX, Pipe::M}};
    for (const auto& [src, dst] : kFrees)
        for (uint32_t id = 0; id < kEventIds; id++)
            flag(static_cast<uint32_t>(src) << 8 | static_cast<uint32_t>(dst) << 4 | id).fired.push_back({start, FlagQueue::kNobody});
}

bool CoreModel::drained() const {
    for (int i = 1; i < kPipes; i++)
        if (!pipes[i].idle()) return false;
    return true;
}

Time CoreModel::all_done() const {
    Time latest = now;
    for (int i = 1; i < kPipes; i++) latest = std::max({latest, pipes[i].done, pipes[i].ready});
    return latest;
}

bool CoreModel::dcache_hit(uint64_t addr) {
    const uint64_t line = addr / kScalarLine;
    const size_t first = line % kSets * kWays;
    size_t oldest = first;
    dcache_clock++;
    for (size_t i = first; i < first + kWays; i++) {
        if (dcache[i] == line) {
            dcache_used[i] = dcache_clock;
            return true;
        }
        if (dcache_used[i] < dcache_used[oldest]) oldest = i;
    }
    dcache[oldest] = line;
    dcache_used[oldest] = dcache_clock;
    return false;
}

void CoreModel::dcache_drop(uint64_t addr, bool all) {
    const uint64_t line = addr / kScalarLine;
    for (uint64_t& each : dcache)
        if (all || each == line) each = ~uint64_t{0};
}

FlagQueue& CoreModel::flag(uint32_t code) {
    const uint32_t src = code >> 8 & 15, dst = code >> 4 & 15, id = code & 15;
    return flags[(src * kPipes + dst) * kEventIds + id % kEventIds];
}

} // namespace aclimb::timing
