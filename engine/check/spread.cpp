// SPDX-License-Identifier: Apache-2.0
// How a lack of value travels through an instruction: as values do. What only moves bytes is run a second time, on memories that hold ones
// and zeros instead of data; what computes lane by lane has a value where all its sources have one.
#include <string_view>

#include "aclimb/op.h"
#include "check/validity.h"
#include "isa/rows.h"
#include "isa/shapes/repeat.h"
#include "isa/shapes/sort.h"

namespace aclimb::check {
namespace {

// Of an instruction that only moves bytes, those that decide where the others go: they have to have a value, and are run as they are.
struct Steering {
    int operand = -1;
    bool scores = false; // of pairs of a score and an index, the first half
    bool of(const Bytes& bytes, uint64_t at) const { return bytes.operand == operand || is_score(at); }
    bool is_score(uint64_t at) const { return scores && at % kPairBytes < kPairBytes / 2; }
};

bool only_moves(const Row& row, Steering& steering) {
    const std::string_view shape = row.shape;
    if (shape == "gather_mask" || shape == "gather_block") steering.operand = 2;
    else if (shape == "merge") steering.scores = true;
    else if (shape == "sort") steering.operand = 1;
    else
        return row.kind == Class::move || shape == "transpose" || shape == "transpose_4d" || shape == "trans_data" ||
               shape == "broadcast_block" || shape == "move";
    return true;
}

// Bytes of a lane from the operand's address on.
uint64_t lane_at(const Extent& extent, uint32_t repeat, uint32_t lane) {
    const uint32_t step = extent.block_lanes();
    return uint64_t{repeat} * extent.repeat + uint64_t{lane / step} * extent.block + extent.bytes(lane % step);
}

struct Lanes { // of an operand
    uint64_t addr;
    Extent extent;
    uint64_t at(uint32_t repeat, uint32_t lane) const { return addr + lane_at(extent, repeat, lane); }
    uint64_t bytes() const { return extent.bytes(1); }
};

Lanes lanes_of(const Place& place, Dtype type, Stride stride, bool dense) {
    return {place.addr, extent_of(type, dense ? Stride{1, 8} : stride)};
}

bool converts(const Row& row) {
    const std::string_view shape = row.shape;
    return shape == "cast" || shape == "binary_cast";
}

template <class Seen> void each_lane(const Repeats& repeats, Seen seen) {
    for (uint32_t repeat = 0; repeat < repeats.count; repeat++) {
        const Selection& selection = repeats.of(repeat);
        for (uint32_t lane = 0; lane < selection.end; lane++)
            if (selection.has(lane)) seen(repeat, lane);
    }
}

} // namespace

// The record runs on shadows in which a byte of ones stands for a value. Nothing leaves the core: copies to global memory are judged
// before.
bool Validity::spread_by_running(Core& core, const Head& head, const Ranges& touched, uint32_t origin) {
    const Row& row = row_of(head.op);
    Steering steering;
    if (!only_moves(row, steering)) return false;
    for (int i = 0; i < row.operands; i++)
        if (is_in_gm(head, row.operand[i])) return false;
    alignas(8) uint8_t copy[1024];
    if (head.size > sizeof copy) return false;
    memcpy(copy, &head, head.size);
    auto& again = *reinterpret_cast<Head*>(copy);
    if (head.op == Op::copy) reinterpret_cast<Copy&>(again).pad_value = ~uint64_t{0};
    if (head.op == Op::load_3d) reinterpret_cast<Load3D&>(again).state.pad_value = ~uint64_t{0};
    std::vector<uint8_t> bytes[kMemories];
    const auto room_of = [&](const Bytes& each) -> int { return static_cast<int>(memory_of(head, row.operand[each.operand])); };
    const auto each_byte = [&](const Bytes& each, auto seen) {
        for (uint32_t line = 0; line < each.count; line++)
            for (uint64_t i = 0; i < each.length; i++) seen(each.begin + line * static_cast<uint64_t>(each.stride) + i);
    };
    LocalMemory& real = *core.memory;
    bool known = true;
    for (const Bytes& each : touched) {
        const int number = room_of(each);
        bytes[number].resize(rooms_[number].size);
        if (!reads(each.role)) continue;
        each_byte(each, [&](uint64_t at) {
            const bool valid = rooms_[number].has(at), steers = steering.of(each, at);
            bytes[number][at] = steers ? real.base[number][at] : valid ? 0xff : 0;
            known &= valid || !steers;
        });
    }
    if (!known) return false;
    const auto swap = [&] {
        for (int i = 0; i < kMemories; i++)
            if (!bytes[i].empty()) std::swap(real.base[i], shadow_base_[i]);
    };
    uint32_t written[kMemories];
    std::copy(std::begin(real.written), std::end(real.written), written);
    std::vector<uint8_t> positions; // beside L0B: what LoadDataWithSparse leaves there is not to be replaced by ones and zeros
    if (head.op == Op::load_sparse) positions.assign(real.sparse_index, real.sparse_index + real.size[static_cast<int>(Memory::L0B)] / 4);
    for (int i = 0; i < kMemories; i++) shadow_base_[i] = bytes[i].data();
    swap();
    execute_table[static_cast<int>(head.op)](core, again);
    swap();
    std::copy(std::begin(written), std::end(written), real.written);
    std::copy(positions.begin(), positions.end(), real.sparse_index);
    const bool pairs = steering.scores || std::string_view(row.shape) == "sort";
    for (const Bytes& each : touched)
        if (writes(each.role))
            each_byte(each, [&](uint64_t at) {
                const bool is_score = pairs && at % kPairBytes < kPairBytes / 2;
                put(rooms_[room_of(each)], at, 1, is_score || bytes[room_of(each)][at] == 0xff, origin);
            });
    return true;
}

void Validity::lanewise(const Vector& v, uint32_t origin) {
    const Row& row = row_of(v.head.op);
    const Dtype from_type = source_type(v.head);
    const uint32_t own = bits_shift_of(v.head.dtype), other = bits_shift_of(from_type);
    const Repeats repeats = repeats_in(v, kRepeatBits >> (converts(row) && other > own ? other : own));
    const bool dense = v.counted == 1;
    const Lanes dst = lanes_of(v.dst, v.head.dtype, v.dst_stride, dense), a = lanes_of(v.a, from_type, v.a_stride, dense),
                b = lanes_of(v.b, from_type, v.b_stride, dense);
    Room& ub = room(Memory::UB);
    // A repeat of an operand that is narrower is narrower too where nothing is strided.
    const auto at = [&](const Lanes& lanes, uint32_t repeat, uint32_t lane) {
        return dense ? lanes.addr + lanes.extent.bytes(uint64_t{repeat} * repeats.lanes + lane) : lanes.at(repeat, lane);
    };
    each_lane(repeats, [&](uint32_t repeat, uint32_t lane) {
        bool valid = row.operands < 2 || has_all(ub, at(a, repeat, lane), a.bytes());
        if (row.operands > 2) valid &= has_all(ub, at(b, repeat, lane), b.bytes());
        if (reads(row.operand[0].role)) valid &= has_all(ub, at(dst, repeat, lane), dst.bytes());
        put(ub, at(dst, repeat, lane), dst.bytes(), valid, origin);
    });
}

// The mask chooses: only the source that is taken has to have a value, and the bit that takes it.
void Validity::select(Core& core, const Select& record, uint32_t origin) {
    constexpr uint8_t kTensorScalar = 1;
    const Vector& v = record.vector;
    const bool dense = v.counted == 1;
    const Repeats repeats = repeats_in(v, kRepeatBits >> bits_shift_of(v.head.dtype));
    const Lanes dst = lanes_of(v.dst, v.head.dtype, v.dst_stride, dense), a = lanes_of(v.a, v.head.dtype, v.a_stride, dense),
                b = lanes_of(v.b, v.head.dtype, v.b_stride, dense);
    Room& ub = room(Memory::UB);
    const uint64_t mask_at = record.has_mask ? record.mask.addr : core.cmp_mask[0] & 0xffffffff;
    each_lane(repeats, [&](uint32_t repeat, uint32_t lane) {
        const uint64_t bit = (v.mode ? uint64_t{repeat} * repeats.lanes : 0) + lane;
        bool taken, valid = true;
        if (!record.has_mask && !v.mode) {
            taken = core.cmp_mask[bit / 64 % 2] >> (bit % 64) & 1;
        } else {
            taken = core.memory->base[static_cast<int>(Memory::UB)][mask_at + bit / 8] >> (bit % 8) & 1;
            const auto some = ub.bits.find(mask_at + bit / 8);
            valid = ub.has(mask_at + bit / 8) || (some != ub.bits.end() && some->second >> (bit % 8) & 1);
        }
        if (taken) valid &= has_all(ub, a.at(repeat, lane), a.bytes());
        else if (v.mode != kTensorScalar) valid &= has_all(ub, b.at(repeat, lane), b.bytes());
        put(ub, dst.at(repeat, lane), dst.bytes(), valid, origin);
    });
}

void Validity::gather(Core& core, const Vector& v, uint32_t origin) {
    const Repeats repeats = repeats_in(v, kRepeatBits >> bits_shift_of(v.head.dtype));
    const uint64_t bytes = size_of(v.head.dtype);
    Room& ub = room(Memory::UB);
    each_lane(repeats, [&](uint32_t repeat, uint32_t lane) {
        const uint64_t number = uint64_t{repeat} * repeats.lanes + lane;
        uint32_t offset;
        memcpy(&offset, core.memory->base[static_cast<int>(Memory::UB)] + v.b.addr + 4 * number, sizeof offset);
        put(ub, v.dst.addr + bytes * number, bytes, has_all(ub, v.a.addr + v.scalar + offset, bytes), origin);
    });
}

// One result for some lanes: of a repeat, a block, a pair, or all.
void Validity::reduce(const Vector& v, uint32_t origin) {
    const Row& row = row_of(v.head.op);
    const std::string_view shape = row.shape;
    const uint64_t element = size_of(v.head.dtype);
    const Repeats repeats = repeats_in(v, kRepeatBits >> bits_shift_of(v.head.dtype));
    const Lanes a = lanes_of(v.a, v.head.dtype, v.a_stride, shape == "reduce" && v.counted == 1);
    Room& ub = room(Memory::UB);
    if (shape == "reduce") {
        bool valid = true;
        each_lane(repeats, [&](uint32_t repeat, uint32_t lane) { valid &= has_all(ub, a.at(repeat, lane), element); });
        return put(ub, v.dst.addr, element * (row.leaves & kExtremeRegister && v.mode ? 2 : 1), valid, origin);
    }
    const bool whole = shape == "reduce_repeat", sum = row.leaves & kSumRegister;
    const uint32_t lanes = whole ? repeats.lanes : shape == "reduce_block" ? static_cast<uint32_t>(kBlockBytes / element) : 2;
    const uint64_t result = !whole || sum || v.mode == 2 ? element : v.mode == 3 ? 4 : 2 * element;
    const uint64_t step = whole                     ? v.dst_stride.repeat * result
                          : shape == "reduce_block" ? v.dst_stride.repeat * 8 * element
                                                    : uint64_t{v.dst_stride.repeat} * 128;
    for (uint32_t repeat = 0; repeat < repeats.count; repeat++) {
        const Selection& selection = repeats.of(repeat);
        for (uint32_t from = 0; from < repeats.lanes; from += lanes) {
            bool any = false, valid = true;
            for (uint32_t lane = from; lane < from + lanes && lane < selection.end; lane++)
                if (selection.has(lane)) {
                    any = true;
                    valid &= has_all(ub, a.at(repeat, lane), element);
                }
            if (any) put(ub, v.dst.addr + repeat * step + (whole ? 0 : from / lanes * element), result, valid, origin);
        }
    }
}

// A bit for each lane; a byte has a value when all its bits have one.
void Validity::compare(const Vector& v, uint32_t origin) {
    const Row& row = row_of(v.head.op);
    const Dtype type = source_type(v.head);
    const uint32_t lanes = kRepeatBits >> bits_shift_of(type);
    Vector whole = v;
    whole.mask[0] = whole.mask[1] = ~uint64_t{0};
    whole.count -= v.count % lanes;
    const Repeats repeats = repeats_in(whole, lanes);
    const bool dense = v.counted == 1;
    const Lanes a = lanes_of(v.a, type, v.a_stride, dense), b = lanes_of(v.b, type, v.b_stride, dense);
    Room& ub = room(Memory::UB);
    for (uint32_t repeat = 0; repeat < repeats.count; repeat++)
        for (uint32_t from = 0; from < lanes; from += 8) {
            uint8_t bits = 0;
            for (uint32_t lane = from; lane < from + 8; lane++) {
                bool valid = has_all(ub, a.at(repeat, lane), a.bytes());
                if (row.operands > 2) valid &= has_all(ub, b.at(repeat, lane), b.bytes());
                bits = static_cast<uint8_t>(bits | valid << (lane - from));
            }
            const uint64_t at = v.dst.addr + (uint64_t{repeat} * lanes + from) / 8;
            put(ub, at, 1, bits == 0xff, origin);
            if (bits != 0xff && bits) ub.bits[at] = bits;
        }
}

// What is not known better has a value where everything that was read has: a sort whose scores lack one, for instance.
void Validity::spread(Core& core, const Head& head, const Ranges& touched, uint32_t origin) {
    const Row& row = row_of(head.op);
    const std::string_view shape = row.shape;
    if (spread_by_running(core, head, touched, origin)) return;
    if (head.op == Op::mmad || head.op == Op::mmad_sparse) return multiply(reinterpret_cast<const Mmad&>(head), origin);
    const auto& v = reinterpret_cast<const Vector&>(head);
    if (shape == "select") return select(core, reinterpret_cast<const Select&>(head), origin);
    if (shape == "gather") return gather(core, v, origin);
    if (shape.starts_with("reduce")) return reduce(v, origin);
    if (shape == "compare" && head.op != Op::vcmp_mask) return compare(v, origin);
    const bool by_lanes = shape == "binary" || shape == "accumulate" || shape == "scalar_lane" || shape == "scalar_accumulate" ||
                          shape == "unary" || shape == "cast" || shape == "binary_cast";
    if (by_lanes) return lanewise(v, origin);
    for (const Bytes& each : touched) {
        const Memory memory = memory_of(head, row.operand[each.operand]);
        if (writes(each.role) && memory != Memory::GM) put(room(memory), each, false, origin);
    }
}

} // namespace aclimb::check
