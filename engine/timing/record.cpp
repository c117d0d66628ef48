// SPDX-License-Identifier: Apache-2.0
#include "timing/record.h"

#include <algorithm>

#include "aclimb/op.h"
#include "core/launch.h"
#include "core/plan.h"
#include "isa/move/layout.h"
#include "isa/rows.h"
#include "timing/describe.h"

namespace aclimb::timing {
namespace {

constexpr uint64_t kEntryBytes = sizeof(TapeEntry) + sizeof(Result);

// Which image's code runs from here on.
void choose_image(Core& core, Recording& recording, Recorder& recorder) {
    recorder.image_base = recorder.image_number = 0;
    const bool aic = core.core_type == CoreType::AIC;
    if (!core.fused) {
        const Kernel& kernel = *core.launch->kernel;
        if (const Image* image = kernel.image(core.core_type)) recorder.image_base = image->base;
        if (aic) recorder.caller = kernel.aiv_image.get();
        return;
    }
    if (!core.fused->sub) return;
    const auto sub = static_cast<size_t>(core.origin.sub);
    const Kernel& kernel = *core.fused->chosen[sub].kernel;
    const std::shared_ptr<Image>& image = aic ? kernel.aic_image : kernel.aiv_image;
    if (!image) return;
    recorder.image_base = image->base;
    recorder.image_number = static_cast<uint32_t>(sub) + 1;
    std::lock_guard lock(recording.mutex);
    recording.images[{aic, recorder.image_number}] = image;
}

uint32_t site_of(const Core& core, const Recorder& recorder) {
    constexpr uint64_t kMost = 1 << 24;
    const auto pc = reinterpret_cast<uint64_t>(core.pc);
    const bool on_behalf = recorder.caller && recorder.caller->has_code(pc);
    const uint64_t offset = pc - (on_behalf ? recorder.caller->base : recorder.image_base);
    const uint32_t number = on_behalf ? kCallerImage : recorder.image_number;
    if (!recorder.image_base || offset >= kMost || number > kCallerImage) return 0;
    return number << 24 | static_cast<uint32_t>(offset);
}

} // namespace

bool asks_clock(const TapeEntry& entry) { return entry.kind == EntryKind::control && entry.info & kReadsClock; }

// A sampled launch runs its first block only.
void Recording::launched(Launch& launch) {
    if (sampled) launch.units = aics_per_block(launch.kernel->type) + aivs_per_block(launch.kernel->type);
}

Observer::Then Recording::issued(Core& core, Head& head) {
    Effect effect = effect_of(core, head);
    recorders[core.unit].rounds.count(effect);
    record(core, head, effect);
    if (effect.reads_clock && answers(core, head)) return Then::leave_out;
    return skips(core, head, effect) ? Then::leave_out : Then::go_on;
}

bool Recording::answers(Core& core, Head& head) {
    constexpr uint64_t kAhead = 50; // ticks from call to call of the first run: a loop that waits for the clock ends
    if (clock.state == Clock::State::unused || clock.state == Clock::State::host) return false;
    const uint32_t call = clock.asked[core.unit]++;
    uint64_t& value = reinterpret_cast<ScalarAccess&>(head).value;
    value = kAhead * (call + 1);
    if (clock.answers.empty()) return true;
    const std::vector<uint64_t>& told = clock.answers[core.unit];
    value = call < told.size() ? told[call] : (told.empty() ? 0 : told.back()) + kAhead * (call + 1 - told.size());
    return true;
}

// The first run has ended. True: it was the one that counts.
bool Recording::ends_rehearsal(Launch& launch) {
    if (clock.state == Clock::State::unused || clock.state == Clock::State::host) return true;
    if (clock.state == Clock::State::rehearses) {
        const bool usable = !launch.fault && !cut;
        clock.entries.clear();
        for (const Tape& tape : work.tapes) clock.entries.push_back(tape.size());
        if (usable) clock.answers = clock.rehearsed(work);
        clock.state = usable ? Clock::State::follows : Clock::State::host;
        restart(clock.timing_only_after);
        return false;
    }
    for (size_t i = 0; i < work.tapes.size(); i++)
        if (work.tapes[i].size() != clock.entries[i] || clock.asked[i] != clock.answers[i].size()) clock.state = Clock::State::strays;
    return true;
}

// A timing-only run leaves the arithmetic out; where the kernel decides by what it computed, it has to compute.
bool Recording::ended(Launch& launch) {
    failed = launch.fault.has_value();
    if (!steers) return ends_rehearsal(launch);
    launch.kernel->values_steer = true;
    if (clock.state != Clock::State::unused) clock.state = Clock::State::host;
    restart(false);
    return false;
}

bool Recording::skips(Core& core, const Head& head, const Effect& effect) {
    const bool waits = effect.is_soft && effect.waits != Meet::nothing && effect.round;
    if (sampled && (waits || (effect.signals == Meet::cross && effect.mode == 0))) core.fail(core.make_fault("sampled_block_waits"));
    if (!timing_only) return false;
    if (effect.loads && !effect.is_raw && !is_global(reinterpret_cast<const ScalarAccess&>(head).at)) {
        steers = true; // the launch runs again, in full
        core.fail(core.make_fault("timing_only_steers"));
    }
    return handles_data(row_of(head.op).kind);
}

void Recording::prepare(KernelType type, int64_t num_blocks) {
    work.type = type;
    work.num_blocks = num_blocks;
    const size_t units = static_cast<size_t>(num_blocks) * (aics_per_block(type) + aivs_per_block(type));
    work.tapes.resize(units);
    recorders.resize(units);
    clock.asked.assign(units, 0);
    for (size_t i = 0; i < units; i++) recorders[i].tape = &work.tapes[i];
}

void Recording::restart(bool without_arithmetic) {
    budget->used -= bytes();
    timing_only = without_arithmetic;
    steers = cut = false;
    std::fill(clock.asked.begin(), clock.asked.end(), 0);
    const size_t units = recorders.size();
    recorders.assign(units, {});
    for (size_t i = 0; i < units; i++) {
        work.tapes[i].clear();
        recorders[i].tape = &work.tapes[i];
    }
}

uint64_t Recording::bytes() const {
    uint64_t total = 0;
    for (const Tape& tape : work.tapes) total += (uint64_t{tape.size()} + Tape::kChunk - 1) / Tape::kChunk * Tape::kChunk * kEntryBytes;
    return total;
}

TapeEntry* Recording::next_entry(Recorder& recorder) {
    if (recorder.full) return nullptr;
    if (recorder.tape->size() % Tape::kChunk == 0 && (cut || budget->used.fetch_add(Tape::kChunk * kEntryBytes) > budget->limit)) {
        recorder.full = cut = true;
        return nullptr;
    }
    return &recorder.tape->add();
}

// The operations that the scalar unit has computed since the entry before go with this one; very many have one of their own.
TapeEntry* Recording::entry_after_work(Core& core) {
    Recorder& recorder = recorders[core.unit];
    uint64_t work = core.scalar_work - recorder.counted;
    recorder.counted = core.scalar_work;
    for (; work > UINT16_MAX; work -= std::min<uint64_t>(work, UINT32_MAX)) {
        TapeEntry* counted = next_entry(recorder);
        if (!counted) return nullptr;
        counted->kind = EntryKind::scalars;
        counted->op = static_cast<uint8_t>(Op::count);
        counted->a = static_cast<uint32_t>(std::min<uint64_t>(work, UINT32_MAX));
        counted->site = site_of(core, recorder);
    }
    TapeEntry* entry = next_entry(recorder);
    if (entry) entry->scalars = static_cast<uint16_t>(work);
    return entry;
}

void Recording::record(Core& core, const Head& head, const Effect& effect) {
    Recorder& recorder = recorders[core.unit];
    if (effect.is_boundary || recorder.tape->size() == 0) choose_image(core, *this, recorder);
    if (polls_again(core, head, effect)) return;
    TapeEntry* entry = entry_after_work(core);
    if (!entry) return;
    entry->op = static_cast<uint8_t>(head.op);
    entry->pipe = head.pipe;
    entry->site = site_of(core, recorder);
    describe(*entry, head, effect, recorder);
    const bool feeds_cube = entry->kind == EntryKind::mmad || (entry->kind == EntryKind::move && entry->path == Path::gm_l1);
    if (core.caller && feeds_cube) entry->info |= kByMatmul; // no other part of the library multiplies
    if (entry->kind == EntryKind::control || entry->kind == EntryKind::sub_kernel) entry->pipe = Pipe::S;
    if (entry->kind == EntryKind::scalar_gm) add_lines(recorder, *entry);
}

// How often a loop looks until another core has written depends on the host: the first time is recorded, and no other.
bool Recording::polls_again(Core& core, const Head& head, const Effect& effect) {
    Recorder& recorder = recorders[core.unit];
    const bool loads = effect.loads, drops = effect.cleans;
    if (!loads && !drops) {
        recorder.load_site = recorder.drop_site = 0;
        return false;
    }
    const auto& access = reinterpret_cast<const ScalarAccess&>(head);
    const uint64_t addr = drops && access.value & kDcciEntire ? recorder.polled : access.at.addr;
    const uint32_t site = site_of(core, recorder);
    const bool same = addr == recorder.polled && recorder.load_site && recorder.drop_site;
    const bool again = same && site == (loads ? recorder.load_site : recorder.drop_site);
    if (addr != recorder.polled) recorder.load_site = recorder.drop_site = 0;
    recorder.polled = addr;
    (loads ? recorder.load_site : recorder.drop_site) = site;
    if (again) recorder.counted = core.scalar_work;
    return again;
}

// An access to more than one line of the data cache is one to each.
void Recording::add_lines(Recorder& recorder, TapeEntry first) {
    const uint64_t end = first.addr + first.a;
    for (uint64_t line = first.addr / kScalarLine + 1; line * kScalarLine < end; line++) {
        TapeEntry* entry = next_entry(recorder);
        if (!entry) return;
        *entry = first;
        entry->scalars = 0;
        entry->addr = line * kScalarLine;
        entry->a = static_cast<uint32_t>(std::min<uint64_t>(kScalarLine, end - entry->addr));
    }
}

void Recording::left(Core& core) {
    if (core.scalar_work == recorders[core.unit].counted) return;
    TapeEntry* entry = entry_after_work(core);
    if (!entry) return;
    entry->kind = EntryKind::scalars;
    entry->op = static_cast<uint8_t>(Op::count);
}

} // namespace aclimb::timing
