// SPDX-License-Identifier: Apache-2.0
#include "check/validity.h"

#include <algorithm>
#include <bit>

#include "aclimb/op.h"
#include "isa/move/geometry.h"
#include "isa/move/pad.h"
#include "isa/rows.h"

namespace aclimb::check {
namespace {

constexpr uint64_t kGranule = 32;

// Where a lack of value matters at once: products, addresses, results that leave the core. A copy between memories only carries it on.
bool matters(const Head& head, const Bytes& bytes) {
    if (row_of(head.op).kind == Class::cube) return true;
    if (head.op == Op::scalar_load || head.op == Op::raw_load) return true;
    const bool is_address = (head.op == Op::vgather || head.op == Op::vgatherb) && bytes.operand == 2;
    return is_address || (head.op == Op::copy && reinterpret_cast<const Copy&>(head).dst.memory == static_cast<uint64_t>(Memory::GM));
}

} // namespace

Validity::Validity(const LocalMemory& like, GlobalValues* global) : global_(global) {
    for (int i = 0; i < kMemories; i++) {
        rooms_[i].size = like.size[i];
        rooms_[i].valid.resize((like.size[i] + 63) / 64);
        rooms_[i].origin.resize((like.size[i] + kGranule - 1) / kGranule);
        rooms_[i].writer.resize(rooms_[i].origin.size());
    }
}

uint64_t Validity::bytes() const {
    uint64_t total = 0;
    for (const Room& each : rooms_) total += 8 * each.valid.size() + 4 * each.origin.size() + each.writer.size();
    return total;
}

// A launch as lax as hardware may go beyond the end.
uint64_t Validity::first_without(const Room& room, uint64_t begin, uint64_t end) {
    const uint64_t stop = std::min(end, room.size);
    for (uint64_t at = begin; at < stop;) {
        if (const uint64_t lacking = ~room.valid[at / 64] >> (at % 64)) {
            const uint64_t found = at + static_cast<uint64_t>(std::countr_zero(lacking));
            return found < stop ? found : end;
        }
        at = (at / 64 + 1) * 64;
        constexpr uint64_t kSome = 8; // words at a time
        while (at + 64 * kSome <= stop) {
            uint64_t all = ~uint64_t{0};
            for (uint64_t i = 0; i < kSome; i++) all &= room.valid[at / 64 + i];
            if (~all) break;
            at += 64 * kSome;
        }
    }
    return end;
}

bool Validity::has_all(const Room& room, const Rectangle& bytes) {
    for (uint32_t row = 0; row < bytes.count; row++)
        if (!has_all(room, bytes.begin + row * static_cast<uint64_t>(bytes.stride), bytes.length)) return false;
    return true;
}

uint32_t Validity::origin_of(const Room& room, const Rectangle& bytes) {
    for (uint32_t row = 0; row < bytes.count; row++) {
        const uint64_t begin = bytes.begin + row * static_cast<uint64_t>(bytes.stride), end = begin + bytes.length;
        if (const uint64_t at = first_without(room, begin, end); at < end) return room.origin[at / kGranule];
    }
    return 0;
}

void Validity::put(Room& room, uint64_t begin, uint64_t length, bool valid, uint32_t origin) {
    if (begin + length > room.size || !length) return;
    for (uint64_t at = begin; at < begin + length;) {
        if (at % 64 == 0 && begin + length - at >= 64) {
            const uint64_t words = (begin + length - at) / 64;
            std::fill_n(room.valid.begin() + static_cast<ptrdiff_t>(at / 64), words, valid ? ~uint64_t{0} : 0);
            at += 64 * words;
            continue;
        }
        const uint64_t some = std::min(64 - at % 64, begin + length - at);
        const uint64_t mask = (some == 64 ? ~uint64_t{0} : (uint64_t{1} << some) - 1) << (at % 64);
        uint64_t& word = room.valid[at / 64];
        word = valid ? word | mask : word & ~mask;
        at += some;
    }
    if (!room.bits.empty())
        for (uint64_t at = begin; at < begin + length; at++) room.bits.erase(at);
    const auto first = static_cast<ptrdiff_t>(begin / kGranule), last = static_cast<ptrdiff_t>((begin + length - 1) / kGranule) + 1;
    if (!valid) std::fill(room.origin.begin() + first, room.origin.begin() + last, origin);
    if (member_) std::fill(room.writer.begin() + first, room.writer.begin() + last, member_);
}

void Validity::tell(const Bytes& bytes, Memory memory, std::vector<Unwritten>& told) {
    Room& from = room(memory);
    for (uint32_t row = 0; row < bytes.count; row++) {
        const uint64_t begin = bytes.begin + row * static_cast<uint64_t>(bytes.stride), end = begin + bytes.length;
        const uint64_t first = first_without(from, begin, end);
        if (first == end) continue;
        uint64_t behind = first;
        while (behind < end && !from.has(behind)) behind++;
        const uint32_t origin = from.origin[first / kGranule];
        told.push_back({memory, first, behind, origin & ~(kFromGlobal | kFromScratch), bytes.operand, false, (origin & kFromGlobal) != 0,
                        (origin & kFromScratch) != 0});
        put(from, bytes, true, 0); // once is enough
        return;
    }
}

void Validity::look_at_writers(const Bytes& bytes, Memory memory, uint8_t member, std::vector<Unwritten>& told) {
    const Room& from = room(memory);
    for (uint64_t at = bytes.begin / kGranule; at * kGranule < bytes.begin + bytes.length && at < from.writer.size(); at++)
        if (from.writer[at] && from.writer[at] != member) {
            told.push_back({memory, bytes.begin, bytes.begin + bytes.length, 0, bytes.operand, true});
            return;
        }
}

// Burst by burst, what lacks a value there lacks it here.
void Validity::copy_from_global(const Copy& copy, uint32_t site) {
    const Rectangle from = source_of(copy), to = destination_of(copy);
    Room& here = room(static_cast<Memory>(copy.dst.memory));
    const uint64_t left = pads(copy) ? copy.left * copy.element : 0;
    for (uint32_t row = 0; row < to.count; row++)
        for (uint64_t i = 0; i < copy.length; i++)
            if (!global_->has(from.begin + row * static_cast<uint64_t>(from.stride) + i))
                put(here, to.begin + row * static_cast<uint64_t>(to.stride) + left + i, 1, false, site);
}

// The filler behind a block whose padding was asked for without a value.
void Validity::leave_filler(const Copy& copy, uint32_t site) {
    const Rectangle whole = destination_of(copy);
    const uint64_t left = copy.left * copy.element;
    for (uint32_t row = 0; row < whole.count; row++) {
        const uint64_t begin = whole.begin + row * static_cast<uint64_t>(whole.stride);
        Room& to = room(static_cast<Memory>(copy.dst.memory));
        put(to, begin, left, false, site);
        put(to, begin + left + copy.length, whole.length - left - copy.length, false, site);
    }
}

// A copy whose bytes without a value all go behind the end of an allocation, where nobody looks for them.
bool Validity::leaves_only_rest(const Head& head, const Bytes& bytes) const {
    if (head.op != Op::copy || !global_ || !is_global(reinterpret_cast<const Copy&>(head).dst)) return false;
    const uint64_t past = global_->past_end(destination_of(reinterpret_cast<const Copy&>(head)));
    if (!past || past > bytes.length) return false;
    const Room& from = rooms_[static_cast<int>(reinterpret_cast<const Copy&>(head).src.memory)];
    Rectangle others = bytes, last = bytes;
    others.count--;
    last.begin = bytes.end() - bytes.length;
    last.count = 1;
    last.length -= past;
    return has_all(from, others) && has_all(from, last);
}

// What an instruction computed with lies in its scratch, which is UB; but not where its result lies over that.
void Validity::leave_scratch(const Ranges& touched, uint32_t site) {
    Room& ub = room(Memory::UB);
    for (const Bytes& scratch : touched) {
        if (scratch.role != Role::scratches) continue;
        std::vector<Bytes> kept;
        for (const Bytes& each : touched)
            if (each.role == Role::writes && each.begin < scratch.end() && scratch.begin < each.end() && has_all(ub, each))
                kept.push_back(each);
        put(ub, scratch, false, site | kFromScratch);
        for (const Bytes& each : kept) put(ub, each, true, 0);
    }
}

void Validity::run(Core& core, const Head& head, const Ranges& touched, uint32_t site, uint8_t member, bool eager,
                   std::vector<Unwritten>& told) {
    const Row& row = row_of(head.op);
    bool lacks = false, from_global = false;
    uint32_t origin = 0;
    for (const Bytes& each : touched) {
        if (!reads(each.role)) continue;
        const Memory memory = memory_of(head, row.operand[each.operand]);
        if (memory == Memory::GM) {
            const bool copies_in = head.op == Op::copy && !writes(each.role);
            if (!global_ || global_->has_all(each, copies_in)) continue;
            if (!copies_in || eager) {
                told.push_back({memory, each.begin, each.begin + each.length, 0, each.operand, false, true});
                global_->wrote(each); // once is enough
            } else {
                from_global = true;
            }
            continue;
        }
        if (member) look_at_writers(each, memory, member, told);
        if (has_all(room(memory), each) || leaves_only_rest(head, each)) continue;
        const bool rounded =
            (head.op == Op::mmad || head.op == Op::mmad_sparse) && is_rounded_up(reinterpret_cast<const Mmad&>(head), each.operand);
        if (eager || (matters(head, each) && !rounded)) {
            tell(each, memory, told);
            continue;
        }
        lacks = true;
        if (!origin) origin = origin_of(room(memory), each);
    }
    if (lacks) spread(core, head, touched, origin ? origin : site);
    leave_scratch(touched, site);
    if (lacks) return;
    for (const Bytes& each : touched) {
        const Memory memory = memory_of(head, row.operand[each.operand]);
        if (!writes(each.role) || each.role == Role::scratches) continue;
        if (memory != Memory::GM) put(room(memory), each, true, 0);
        else if (global_) global_->wrote(each);
    }
    if (from_global) return copy_from_global(reinterpret_cast<const Copy&>(head), site | kFromGlobal);
    if (head.op == Op::copy) {
        const auto& copy = reinterpret_cast<const Copy&>(head);
        if (pads(copy) && copy.pad == kPadUndefined && !is_global(copy.dst)) leave_filler(copy, site);
    }
}

} // namespace aclimb::check
