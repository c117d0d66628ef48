// SPDX-License-Identifier: Apache-2.0
#include "check/exact.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "aclimb/op.h"
#include "isa/shapes/gather_mask.h"

namespace aclimb::check {
namespace {

const uint8_t* ub_at(const Core& core, uint64_t addr) { return core.memory->base[static_cast<int>(Memory::UB)] + addr; }

// The places in order, joined where they touch.
void add_places(Ranges& to, int operand, std::vector<uint64_t>& places, uint64_t bytes) {
    std::sort(places.begin(), places.end());
    for (size_t i = 0; i < places.size();) {
        const uint64_t begin = places[i];
        uint64_t end = begin;
        for (; i < places.size() && places[i] <= end; i++) end = std::max(end, places[i] + bytes);
        to.add(operand, Role::reads, begin, end - begin);
    }
}

bool overwrites_its_offsets(const Ranges& touched) {
    for (const Bytes& written : touched)
        for (const Bytes& read : touched)
            if (written.operand == 0 && read.operand == 2 && written.begin < read.end() && read.begin < written.end()) return true;
    return false;
}

void keep_others(const Ranges& touched, int operand, Ranges& to) {
    to.clear();
    for (const Bytes& each : touched)
        if (each.operand != operand) to.add(each.operand, each.role, each.begin, each.length, each.count, each.stride);
}

std::vector<uint64_t> lanes_gathered(const Core& core, const Vector& v) {
    std::vector<uint64_t> places;
    const Repeats repeats = repeats_in(v, kRepeatBits >> bits_shift_of(v.head.dtype));
    for (uint32_t repeat = 0; repeat < repeats.count; repeat++) {
        const Selection& selection = repeats.of(repeat);
        for (uint32_t lane = 0; lane < selection.end; lane++) {
            if (!selection.has(lane)) continue;
            uint32_t offset;
            memcpy(&offset, ub_at(core, v.b.addr + 4 * (uint64_t{repeat} * repeats.lanes + lane)), sizeof offset);
            places.push_back(v.a.addr + v.scalar + offset);
        }
    }
    return places;
}

std::vector<uint64_t> blocks_gathered(const Core& core, const Vector& v) {
    std::vector<uint64_t> places;
    for (uint64_t i = 0; i < 8 * static_cast<uint64_t>(v.repeat); i++) {
        uint32_t offset;
        memcpy(&offset, ub_at(core, v.b.addr + 4 * i), sizeof offset);
        places.push_back(v.a.addr + offset);
    }
    return places;
}

uint64_t lanes_kept(const Core& core, const Vector& v, const GatherMask& shape) {
    uint64_t kept = 0;
    for (uint64_t repeat = 0; repeat < shape.repeats; repeat++)
        for (uint32_t lane = 0; lane < shape.elements; lane++)
            kept += ub_at(core, v.b.addr + repeat * shape.bits_step)[lane / 8] >> (lane % 8) & 1;
    return kept;
}

} // namespace

const Ranges& exact(const Core& core, const Head& head, const Ranges& touched, Ranges& room) {
    const bool gathers = head.op == Op::vgather || head.op == Op::vgatherb, squeezes = head.op == Op::vreducev2;
    if (!gathers && !squeezes) return touched;
    const auto& v = reinterpret_cast<const Vector&>(head);
    if (overwrites_its_offsets(touched)) return touched; // they are gone, and that is a mistake of its own
    if (gathers) {
        keep_others(touched, 1, room);
        auto places = head.op == Op::vgather ? lanes_gathered(core, v) : blocks_gathered(core, v);
        add_places(room, 1, places, head.op == Op::vgather ? size_of(head.dtype) : kBlockBytes);
        return room;
    }
    const GatherMask shape = gather_mask_of(v);
    if (v.mode != 0 || shape.is_empty()) return touched;
    keep_others(touched, 0, room);
    room.add(0, Role::writes, v.dst.addr, shape.src.bytes(lanes_kept(core, v, shape)));
    return room;
}

} // namespace aclimb::check
