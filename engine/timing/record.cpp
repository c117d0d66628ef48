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

// A sampled launch runs its first block only.
void Recording::launched(Launch& launch) {
    if (sampled) launch.units = aics_per_block(launch.kernel->type) + aivs_per_block(launch.kernel->type);
}

Observer::Then Recording::issued(Core& core, Head& head) {
    record(core, head);
    return skips(core, head) ? Then::leave_out : Then::go_on;
}

// A timing-only run leaves the arithmetic out; where the kernel decides by what it computed, it has to compute.
bool Recording::ended(Launch& launch) {
    failed = launch.fault.has_value();
    if (!steers) return true;
    launch.kernel->values_steer = true;
    restart();
    return false;
}

bool Recording::skips(Core& core, const Head& head) {
    if (sampled && (head.op == Op::gm_sync_all || head.op == Op::ib_wait || head.op == Op::pre_block_wait || head.op == Op::group_wait ||
                    (head.op == Op::cross_set && reinterpret_cast<const CrossFlag&>(head).mode == 0)))
        core.fail(core.make_fault("sampled_block_waits"));
    if (!timing_only) return false;
    if (head.op == Op::scalar_load && !is_global(reinterpret_cast<const ScalarAccess&>(head).at)) {
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
    for (size_t i = 0; i < units; i++) recorders[i].tape = &work.tapes[i];
}

void Recording::restart() {
    budget->used -= bytes();
    timing_only = steers = cut = false;
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

void Recording::record(Core& core, const Head& head) {
    Recorder& recorder = recorders[core.unit];
    Tape& tape = *recorder.tape;
    if (recorder.full) return;
    if (tape.size() % Tape::kChunk == 0) {
        if (cut || budget->used.fetch_add(Tape::kChunk * kEntryBytes) > budget->limit) {
            recorder.full = true;
            cut = true;
            return;
        }
    }
    if (head.op == Op::sub_kernel || tape.size() == 0) choose_image(core, *this, recorder);
    TapeEntry& entry = tape.add();
    entry.op = static_cast<uint8_t>(head.op);
    entry.pipe = head.pipe;
    entry.site = site_of(core, recorder);
    describe(entry, head, core, recorder);
    if (entry.kind == EntryKind::control || entry.kind == EntryKind::sub_kernel) entry.pipe = Pipe::S;
}

} // namespace aclimb::timing
