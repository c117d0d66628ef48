// SPDX-License-Identifier: Apache-2.0
#include "timing/record.h"

#include <algorithm>

#include "aclimb/op.h"
#include "core/launch.h"
#include "core/plan.h"
#include "isa/rows.h"
#include "timing/banks.h"

namespace aclimb::timing {
namespace {

constexpr uint64_t kEntryBytes = sizeof(TapeEntry) + sizeof(Result);

Memory memory_of(const Place& place) { return static_cast<Memory>(place.memory); }
bool is_global(const Place& place) { return memory_of(place) == Memory::GM; }

void rows(TapeEntry& entry, uint64_t addr, uint64_t count, uint64_t length, int64_t stride) {
    if (stride == static_cast<int64_t>(length) && count * length <= UINT32_MAX) { // one behind the other: one long row
        length *= count;
        count = 1;
    }
    entry.kind = EntryKind::move;
    entry.addr = addr;
    entry.a = static_cast<uint32_t>(count);
    entry.b = static_cast<uint32_t>(length);
    entry.stride = stride;
    if (!count || !length) entry.kind = EntryKind::control;
}

void local(TapeEntry& entry, uint64_t bytes, Path path) {
    entry.kind = bytes ? EntryKind::local : EntryKind::control;
    entry.a = static_cast<uint32_t>(std::min<uint64_t>(bytes, UINT32_MAX));
    entry.path = path;
}

void record_copy(TapeEntry& entry, const Copy& copy) {
    const Memory dst = memory_of(copy.dst), src = memory_of(copy.src);
    if (src == Memory::GM) {
        rows(entry, copy.src.addr, copy.count, copy.length, copy.length + copy.src_gap);
        entry.path = dst == Memory::UB ? Path::gm_ub : dst == Memory::L1 ? Path::gm_l1 : Path::gm_l0;
        if (copy.src.generation & kReadsPastL2) entry.info |= kBypass;
    } else if (dst == Memory::GM) {
        rows(entry, copy.dst.addr, copy.count, copy.length, copy.length + copy.dst_gap);
        entry.info |= kWrites;
        if (copy.dst.generation & kWritesPastL2) entry.info |= kBypass;
        entry.path = src == Memory::UB ? Path::ub_gm : Path::l1_gm;
    } else {
        local(entry, uint64_t{copy.count} * copy.length, dst == Memory::UB ? Path::ub_ub : Path::l1_bt);
    }
}

void record_nd2nz(TapeEntry& entry, const Nd2Nz& nd2nz) {
    const auto element = static_cast<int64_t>(size_of(nd2nz.head.dtype));
    const uint64_t count = uint64_t{nd2nz.nd_num} * nd2nz.n_value;
    rows(entry, nd2nz.src.addr, count, nd2nz.d_value * element, nd2nz.src_d_value * element);
    if (entry.a == 1 && count > 1) { // dense rows still go one by one
        entry.a = static_cast<uint32_t>(count);
        entry.b = static_cast<uint32_t>(nd2nz.d_value * element);
    }
    entry.info |= kNd2Nz;
    if (nd2nz.src.generation & kReadsPastL2) entry.info |= kBypass;
    entry.path = Path::gm_l1;
}

void record_load(TapeEntry& entry, const Load2D& load) {
    constexpr uint64_t kFractal = 512;
    const Memory dst = memory_of(load.dst);
    const uint64_t bytes = load.repeat * kFractal;
    if (is_global(load.src)) {
        rows(entry, load.src.addr + load.start_index * kFractal, load.repeat, kFractal, static_cast<int64_t>(load.src_stride * kFractal));
        entry.path = dst == Memory::L1 ? Path::gm_l1 : Path::gm_l0;
    } else {
        local(entry, bytes, dst == Memory::L0A ? Path::l1_l0a : Path::l1_l0b);
    }
}

void record_mmad(TapeEntry& entry, const Mmad& mmad, Recorder& recorder) {
    const auto blocks = [](uint32_t size, uint32_t unit) { return (size + unit - 1) / unit; };
    const Dtype type = mmad.head.dtype2 == Dtype::none ? mmad.head.dtype : mmad.head.dtype2;
    entry.kind = EntryKind::mmad;
    // k0: elements in 32 bytes.
    const bool narrow = type == Dtype::i8 || type == Dtype::u8;
    const bool single = type == Dtype::f32;
    const uint32_t k0 = type == Dtype::i4 ? 64 : narrow ? 32 : single ? 8 : 16;
    const uint32_t fractals = blocks(mmad.m, 16) * blocks(mmad.n, 16) * blocks(mmad.k, k0);
    const bool hf32 = mmad.head.ctrl & kCtrlHf32;
    entry.a = fractals;
    entry.b = k0;
    entry.stride = static_cast<int64_t>(type == Dtype::i4 ? CubeType::i4
                                        : narrow          ? CubeType::i8
                                        : !single         ? CubeType::f16
                                        : hf32            ? CubeType::hf32
                                                          : CubeType::f32);
    entry.c = fractals * k0;
    if (narrow || type == Dtype::i4) entry.info |= kInteger;
    recorder.mmads++;
}

void record_fixpipe(TapeEntry& entry, const Fixpipe& fixpipe, const Recorder& recorder) {
    const auto element = static_cast<int64_t>(size_of(fixpipe.head.dtype));
    const bool nz = fixpipe.layout == static_cast<uint8_t>(FixpipeLayout::nz);
    const uint64_t bytes = uint64_t{fixpipe.m} * fixpipe.n * element;
    if (!is_global(fixpipe.dst)) {
        local(entry, bytes, Path::l0c_l1);
    } else if (nz) {
        rows(entry, fixpipe.dst.addr, (fixpipe.n + 15u) / 16, uint64_t{fixpipe.m} * 16 * element, int64_t{fixpipe.dst_stride} * 32);
    } else {
        rows(entry, fixpipe.dst.addr, uint64_t{fixpipe.m} * std::max<uint32_t>(1, fixpipe.nd_num), fixpipe.n * element,
             int64_t{fixpipe.dst_stride} * element);
    }
    entry.info |= kFix;
    if (is_global(fixpipe.dst)) {
        entry.info |= kWrites;
        if (fixpipe.dst.generation & kWritesPastL2) entry.info |= kBypass;
        entry.path = Path::l0c_gm;
    }
    if (fixpipe.unit_flag) entry.info |= kUnitFlag;
    entry.c = recorder.mmads;
}

// Which image's code runs from here on.
void choose_image(Core& core, Recording& recording, Recorder& recorder) {
    recorder.image_base = recorder.image_number = 0;
    const bool aic = core.core_type == CoreType::AIC;
    if (!core.fused) {
        if (const Image* image = core.launch->kernel->image(core.core_type)) recorder.image_base = image->base;
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
    const uint64_t offset = reinterpret_cast<uint64_t>(core.pc) - recorder.image_base;
    if (!recorder.image_base || offset >= kMost || recorder.image_number > 255) return 0;
    return recorder.image_number << 24 | static_cast<uint32_t>(offset);
}

bool overlaps(const Recorder& recorder, uint64_t begin, uint64_t end) {
    for (const auto& range : recorder.written)
        if (begin < range.end && range.begin < end) return true;
    return false;
}

void forget_written(Recorder& recorder) { std::fill(std::begin(recorder.written), std::end(recorder.written), Recorder::Range{}); }

void record_vector(TapeEntry& entry, const Vector& v, Recorder& recorder) {
    const VectorShape shape = shape_of(v);
    entry.kind = EntryKind::vector;
    entry.a = shape.repeats;
    entry.b = bank_factor(v, shape);
    entry.c = shape.lanes;
    entry.stride = shape.sources;
    if (shape.width >= 4) entry.info |= kWide;
    if (shape.is_integer) entry.info |= kInteger;
    if (v.head.op == Op::vconv && size_of(v.head.dtype) != size_of(v.head.dtype2)) entry.info |= kCastWidth;
    if (shape.masked) entry.info |= kCounted;
    const bool touches_written = (shape.sources >= 1 && overlaps(recorder, v.a.addr, v.a.addr + shape.a_span)) ||
                                 (shape.sources >= 2 && overlaps(recorder, v.b.addr, v.b.addr + shape.b_span)) ||
                                 overlaps(recorder, v.dst.addr, v.dst.addr + shape.dst_span);
    if (touches_written) {
        entry.info |= kDependent;
        forget_written(recorder);
    }
    recorder.written[recorder.next_range++ & 3] = {v.dst.addr, v.dst.addr + shape.dst_span};
}

void record_control(TapeEntry& entry, const Head& head, Core& core) {
    switch (head.op) {
    case Op::set_flag:
    case Op::wait_flag: {
        const auto& flag = reinterpret_cast<const Flag&>(head);
        entry.kind = head.op == Op::set_flag ? EntryKind::set_flag : EntryKind::wait_flag;
        entry.a = static_cast<uint32_t>(flag.src) << 8 | static_cast<uint32_t>(flag.dst) << 4 | flag.id;
        break;
    }
    case Op::pipe_barrier: entry.kind = EntryKind::barrier; break;
    case Op::next_task_start: // in a fused kernel the set for the next sub-kernel, where that counts
        entry.b = static_cast<uint32_t>(head.pipe);
        if (!core.fused || !has_early_start(core) || !core.fused->sub || !core.fused->sub->sets) break;
        entry.kind = EntryKind::cross_set;
        entry.a = core.core_type == CoreType::AIC ? 11 : 14;
        entry.info |= kSyncAll;
        break;
    case Op::sub_kernel: {
        const auto& mark = reinterpret_cast<const SubKernelMark&>(head);
        entry.kind = EntryKind::sub_kernel;
        entry.a = static_cast<uint32_t>(mark.index);
        entry.b = mark.end;
        break;
    }
    case Op::cross_set:
    case Op::cross_wait: {
        const auto& flag = reinterpret_cast<const CrossFlag&>(head);
        entry.kind = head.op == Op::cross_set ? EntryKind::cross_set : EntryKind::cross_wait;
        entry.a = head.op == Op::cross_set ? flag.mode << 8 | flag.id : flag.id;
        if (flag.sync_all) entry.info |= kSyncAll;
        break;
    }
    case Op::gm_sync_all:
    case Op::ib_set:
    case Op::ib_wait: {
        const auto& sync = reinterpret_cast<const GmSync&>(head);
        const int64_t cores = core.block_num * core.task_ratio;
        entry.kind = head.op == Op::gm_sync_all ? EntryKind::gm_sync_all : head.op == Op::ib_set ? EntryKind::ib_set : EntryKind::ib_wait;
        entry.a = static_cast<uint32_t>(sync.used_cores > 0 ? sync.used_cores : cores);
        entry.addr = sync.gm.addr;
        if (head.op != Op::gm_sync_all) entry.addr += static_cast<uint64_t>(sync.event_id * cores + sync.block_idx) * 32;
        break;
    }
    case Op::scalar_load:
    case Op::scalar_store: {
        const auto& access = reinterpret_cast<const ScalarAccess&>(head);
        entry.kind = is_global(access.at) ? head.op == Op::scalar_load ? EntryKind::scalar_gm : EntryKind::control : EntryKind::scalar_ub;
        entry.addr = access.at.addr;
        break;
    }
    default: entry.kind = EntryKind::control;
    }
}

} // namespace

bool skips(Core& core, const Head& head) {
    Recording& recording = *core.launch->recording;
    if (recording.sampled && (head.op == Op::gm_sync_all || head.op == Op::ib_wait ||
                              (head.op == Op::cross_set && reinterpret_cast<const CrossFlag&>(head).mode == 0)))
        core.fail(core.make_fault("sampled_block_waits"));
    if (!recording.timing_only) return false;
    if (head.op == Op::scalar_load && !is_global(reinterpret_cast<const ScalarAccess&>(head).at)) {
        recording.steers = true; // the launch runs again, in full
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

void record(Core& core, const Head& head) {
    Recording& recording = *core.launch->recording;
    Recorder& recorder = recording.recorders[core.unit];
    Tape& tape = *recorder.tape;
    if (recorder.full) return;
    if (tape.size() % Tape::kChunk == 0) {
        if (recording.cut || recording.budget->used.fetch_add(Tape::kChunk * kEntryBytes) > recording.budget->limit) {
            recorder.full = true;
            recording.cut = true;
            return;
        }
    }
    if (head.op == Op::sub_kernel || tape.size() == 0) choose_image(core, recording, recorder);
    TapeEntry& entry = tape.add();
    entry.op = static_cast<uint8_t>(head.op);
    entry.pipe = head.pipe;
    entry.site = site_of(core, recorder);
    switch (head.op) {
    case Op::copy: record_copy(entry, reinterpret_cast<const Copy&>(head)); break;
    case Op::nd2nz: record_nd2nz(entry, reinterpret_cast<const Nd2Nz&>(head)); break;
    case Op::load_2d: record_load(entry, reinterpret_cast<const Load2D&>(head)); break;
    case Op::fill: {
        const auto& fill = reinterpret_cast<const Fill&>(head);
        local(entry, uint64_t{fill.repeat} * fill.blocks * 32, Path::none);
        break;
    }
    case Op::mmad: record_mmad(entry, reinterpret_cast<const Mmad&>(head), recorder); break;
    case Op::fixpipe: record_fixpipe(entry, reinterpret_cast<const Fixpipe&>(head), recorder); break;
    default:
        if (row_of(head.op).time == TimeUnit::repeats) {
            record_vector(entry, reinterpret_cast<const Vector&>(head), recorder);
        } else {
            record_control(entry, head, core);
            if (entry.kind == EntryKind::barrier && (entry.pipe == Pipe::V || entry.pipe == Pipe::ALL)) forget_written(recorder);
        }
    }
    if (entry.kind == EntryKind::control || entry.kind == EntryKind::sub_kernel) entry.pipe = Pipe::S;
}

} // namespace aclimb::timing
