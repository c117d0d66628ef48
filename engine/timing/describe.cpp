// SPDX-License-Identifier: Apache-2.0
// A record as the model sees it: so many repeats, bytes, steps.
#include "timing/describe.h"

#include <algorithm>

#include "aclimb/op.h"
#include "isa/banks.h"
#include "isa/cube/mmad.h"
#include "isa/move/geometry.h"
#include "isa/move/im2col.h"

namespace aclimb::timing {
namespace {

// What goes to or comes from global memory. Several matrices are taken as one with that many times the rows.
void traffic(TapeEntry& entry, const Rectangle& rows, uint64_t matrices = 1) {
    uint64_t count = rows.count * matrices, length = rows.length;
    if (rows.stride == static_cast<int64_t>(length) && count * length <= UINT32_MAX) { // one behind the other: one long row
        length *= count;
        count = 1;
    }
    entry.kind = count && length ? EntryKind::move : EntryKind::control;
    entry.addr = rows.begin;
    entry.a = static_cast<uint32_t>(count);
    entry.b = static_cast<uint32_t>(length);
    entry.stride = rows.stride;
}

void local(TapeEntry& entry, uint64_t bytes, Path path) {
    entry.kind = bytes ? EntryKind::local : EntryKind::control;
    entry.a = static_cast<uint32_t>(std::min<uint64_t>(bytes, UINT32_MAX));
    entry.path = path;
}

void record_copy(TapeEntry& entry, const Copy& copy) {
    const Memory dst = memory_of(copy.dst), src = memory_of(copy.src);
    if (src == Memory::GM) {
        traffic(entry, source_of(copy));
        entry.path = dst == Memory::UB ? Path::gm_ub : dst == Memory::L1 ? Path::gm_l1 : Path::gm_l0;
        if (copy.src.generation & kReadsPastL2) entry.info |= kBypass;
    } else if (dst == Memory::GM) {
        traffic(entry, destination_of(copy));
        entry.info |= kWrites;
        if (copy.dst.generation & kWritesPastL2) entry.info |= kBypass;
        entry.path = src == Memory::UB ? Path::ub_gm : Path::l1_gm;
    } else {
        local(entry, uint64_t{copy.count} * copy.length, dst == Memory::UB ? Path::ub_ub : Path::l1_bt);
    }
}

void record_nd2nz(TapeEntry& entry, const Nd2Nz& nd2nz) {
    const Rectangle rows = source_of(nd2nz, 0);
    traffic(entry, rows, nd2nz.nd_num);
    const uint32_t count = rows.count * nd2nz.nd_num;
    if (entry.a == 1 && count > 1) { // dense rows still go one by one
        entry.a = count;
        entry.b = static_cast<uint32_t>(rows.length);
    }
    entry.info |= kNd2Nz;
    if (nd2nz.src.generation & kReadsPastL2) entry.info |= kBypass;
    entry.path = Path::gm_l1;
}

void record_load(TapeEntry& entry, const Load2D& load) {
    const Memory dst = memory_of(load.dst);
    if (is_global(load.src)) {
        traffic(entry, source_of(load));
        entry.path = dst == Memory::L1 ? Path::gm_l1 : Path::gm_l0;
    } else {
        local(entry, load.repeat * kFractal, dst == Memory::L0A ? Path::l1_l0a : Path::l1_l0b);
    }
}

// Cycles of LoadData 3D are those of its bytes times this, in 1/16. Published for A2 and A3: L0A and L0B take 256 and 128 bytes a cycle
// from one row of the filter at stride 1; 512 / (n + 2) and 512 / (n + 4), at least 32 and 28, from n rows; less for other strides.
uint32_t slowness_of(const Load3D& load, bool to_l0a) {
    const uint32_t blocks = ceil_div(load.k_extension, c0_of(load.head.dtype));
    const uint32_t n = std::min<uint32_t>(load.filter_h, ceil_div(blocks, std::max<uint32_t>(load.filter_w, 1)));
    const double full = to_l0a ? 256 : 128, least = to_l0a ? 32 : 28, extra = to_l0a ? 0 : 2, w = load.stride_w;
    double rate = full;
    if (w == 2 || w == 4 || w == 8) rate = 512 / (2 * w + extra + (n > 1 ? n : 0));
    else if (w > 1) rate = least;
    else if (n > 1) rate = 512 / (n + 2 + extra);
    return static_cast<uint32_t>(16 * full / std::clamp(rate, least, full));
}

void record_load_3d(TapeEntry& entry, const Load3D& load) {
    const Im2col windows(load);
    const bool to_l0a = memory_of(load.dst) == Memory::L0A;
    const uint64_t fractals = windows.is_empty() ? 0 : uint64_t{windows.width()} * windows.height();
    local(entry, fractals * kFractal, to_l0a ? Path::l1_l0a : Path::l1_l0b);
    if (fractals) entry.b = slowness_of(load, to_l0a);
}

void record_mmad(TapeEntry& entry, const Mmad& mmad, Recorder& recorder) {
    const auto blocks = [](uint32_t size, uint32_t unit) { return (size + unit - 1) / unit; };
    const Dtype type = mmad.head.dtype2 == Dtype::none ? mmad.head.dtype : mmad.head.dtype2;
    entry.kind = EntryKind::mmad;
    // k0: elements in 32 bytes.
    const bool narrow = type == Dtype::i8 || type == Dtype::u8;
    const bool single = type == Dtype::f32;
    const uint32_t k0 = k0_of(type), k = mmad.head.op == Op::mmad_sparse ? mmad.k / 2 : mmad.k; // kept weights at int8's rate
    const uint32_t fractals = blocks(mmad.m, 16) * blocks(mmad.n, 16) * blocks(k, k0);
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
    Rectangle rows = destination_of(fixpipe, 0);
    if (rows.count == 0) rows = left_group_of(fixpipe); // behind whole groups it is left out: at most 16 columns of 8 bits
    if (is_global(fixpipe.dst)) traffic(entry, rows, std::max(1u, matrices_of(fixpipe)));
    else local(entry, uint64_t{fixpipe.m} * fixpipe.n * size_of(fixpipe.head.dtype), Path::l0c_l1);
    entry.info |= kFix;
    if (is_global(fixpipe.dst)) {
        entry.info |= kWrites;
        if (fixpipe.dst.generation & kWritesPastL2) entry.info |= kBypass;
        entry.path = Path::l0c_gm;
    }
    if (fixpipe.unit_flag) entry.info |= kUnitFlag;
    entry.c = recorder.mmads;
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

// Cores that meet, through flags, boxes and rounds.
void record_meeting(TapeEntry& entry, const Head& head, const Effect& effect) {
    const bool waits = effect.waits != Meet::nothing, signals = effect.signals != Meet::nothing;
    if (effect.step || effect.round) entry.addr = waits ? effect.waits_at : effect.signals_at;
    switch (waits ? effect.waits : effect.signals) {
    case Meet::flag:
        entry.kind = waits ? EntryKind::wait_flag : EntryKind::set_flag;
        entry.a = static_cast<uint32_t>(effect.src) << 8 | static_cast<uint32_t>(effect.dst) << 4 | effect.id;
        break;
    case Meet::cross:
        entry.kind = waits ? EntryKind::cross_wait : EntryKind::cross_set;
        entry.a = waits ? effect.id : effect.mode << 8 | effect.id;
        if (effect.is_early_set || reinterpret_cast<const CrossFlag&>(head).sync_all) entry.info |= kSyncAll;
        break;
    case Meet::box:
        entry.kind = waits && signals ? EntryKind::exchange : waits ? EntryKind::take : EntryKind::post;
        entry.a = effect.is_soft ? effect.round != 0 : static_cast<uint32_t>(1 + reinterpret_cast<const MessageHead&>(head).peer);
        entry.stride = static_cast<int64_t>(effect.is_soft ? effect.signals_at : 0);
        break;
    case Meet::round:
        if (!effect.is_soft || (waits && effect.round == 0)) break; // Hccl takes no time yet; nobody waits for the first turn
        entry.kind = waits && signals ? EntryKind::meet : waits ? EntryKind::wait_round : EntryKind::arrive;
        entry.a = effect.arrivals;
        entry.b = effect.round;
        break;
    case Meet::word:
    case Meet::nothing: break;
    }
}

void record_access(TapeEntry& entry, const ScalarAccess& access, const Effect& effect) {
    entry.kind = is_global(access.at) ? EntryKind::scalar_gm : EntryKind::scalar_ub;
    entry.addr = access.at.addr;
    if (!is_global(access.at)) return;
    if (effect.stores) entry.info |= kWrites;
    entry.a = effect.is_raw ? static_cast<uint32_t>(std::min<uint64_t>(access.at.size, UINT32_MAX)) : 1;
}

void record_control(TapeEntry& entry, const Head& head, const Effect& effect) {
    entry.kind = EntryKind::control;
    if (effect.loads || effect.stores) return record_access(entry, reinterpret_cast<const ScalarAccess&>(head), effect);
    if (effect.reads_results) entry.kind = EntryKind::scalar_ub; // behind the vector instruction
    if (effect.reads_clock) entry.info |= kReadsClock;
    if (effect.is_early_set) entry.b = static_cast<uint32_t>(head.pipe);
    if (effect.is_barrier && !effect.is_soft) entry.kind = EntryKind::barrier;
    if (effect.is_boundary) {
        const auto& mark = reinterpret_cast<const SubKernelMark&>(head);
        entry.kind = EntryKind::sub_kernel;
        entry.a = static_cast<uint32_t>(mark.index);
        entry.b = mark.end;
    }
    if (effect.cleans) {
        const auto& access = reinterpret_cast<const ScalarAccess&>(head);
        entry.kind = EntryKind::drop_line;
        entry.addr = access.at.addr;
        entry.a = (access.value & kDcciEntire) != 0;
    }
    record_meeting(entry, head, effect);
}

} // namespace

void describe(TapeEntry& entry, const Head& head, const Effect& effect, Recorder& recorder) {
    switch (head.op) {
    case Op::copy: record_copy(entry, reinterpret_cast<const Copy&>(head)); break;
    case Op::nd2nz: record_nd2nz(entry, reinterpret_cast<const Nd2Nz&>(head)); break;
    case Op::load_2d: record_load(entry, reinterpret_cast<const Load2D&>(head)); break;
    case Op::load_3d: record_load_3d(entry, reinterpret_cast<const Load3D&>(head)); break;
    case Op::load_transpose: {
        const auto& load = reinterpret_cast<const LoadTranspose&>(head);
        local(entry, uint64_t{load.repeat} * fractals_of_square(head.dtype) * kFractal,
              memory_of(load.dst) == Memory::L0A ? Path::l1_l0a : Path::l1_l0b);
        break;
    }
    case Op::load_sparse: // weights and a quarter as many bytes of positions
        local(entry, reinterpret_cast<const LoadSparse&>(head).repeat * uint64_t{kFractal + kFractal / 4}, Path::l1_l0b);
        break;
    case Op::fill: {
        const auto& fill = reinterpret_cast<const Fill&>(head);
        local(entry, uint64_t{fill.repeat} * fill.blocks * 32, Path::none);
        break;
    }
    case Op::mmad:
    case Op::mmad_sparse: record_mmad(entry, reinterpret_cast<const Mmad&>(head), recorder); break;
    case Op::fixpipe: record_fixpipe(entry, reinterpret_cast<const Fixpipe&>(head), recorder); break;
    default:
        if (row_of(head.op).time == TimeUnit::repeats) {
            record_vector(entry, reinterpret_cast<const Vector&>(head), recorder);
        } else {
            record_control(entry, head, effect);
            if (entry.kind == EntryKind::barrier && (entry.pipe == Pipe::V || entry.pipe == Pipe::ALL)) forget_written(recorder);
        }
    }
}

} // namespace aclimb::timing
