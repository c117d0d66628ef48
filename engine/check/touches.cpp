// SPDX-License-Identifier: Apache-2.0
#include "check/touches.h"

#include <cstring>

#include "aclimb/op.h"
#include "isa/rows.h"

namespace aclimb::check {
namespace {

struct Atomic {
    uint8_t kind = 0; // operation and type; 0: a plain write
    bool float_add = false;
};

bool is_float(Dtype type) { return type == Dtype::half || type == Dtype::bf16 || type == Dtype::f32; }

Atomic atomic_of(const Head& head) {
    const uint8_t op = head.op == Op::copy      ? reinterpret_cast<const Copy&>(head).atomic
                       : head.op == Op::fixpipe ? reinterpret_cast<const Fixpipe&>(head).atomic
                                                : 0;
    if (!op) return {};
    return {static_cast<uint8_t>(op | static_cast<uint8_t>(head.dtype) << 2),
            op == static_cast<uint8_t>(AtomicOp::add) && is_float(head.dtype)};
}

// Whether all that a copy writes is one 8-byte word, again and again. Looked up where it comes from: in global memory another core may have
// written meanwhile.
bool is_uniform(const Head& head, const Rectangle& to, const LocalMemory& memory, uint64_t& value) {
    if (head.op != Op::copy || to.begin % 8 || to.length % 8 || to.stride % 8) return false;
    const auto& copy = reinterpret_cast<const Copy&>(head);
    if (copy.src.memory == static_cast<uint64_t>(Memory::GM) || copy.length % 8 || !copy.length) return false;
    const uint8_t* from = memory.base[copy.src.memory] + copy.src.addr;
    const int64_t step = (copy.length + 31) / 32 * 32 + copy.src_gap, end = static_cast<int64_t>(copy.src.addr) + (copy.count - 1) * step;
    if (end + copy.length > memory.size[copy.src.memory]) return false; // as hardware does, it wrapped round
    memcpy(&value, from, 8);
    for (uint32_t burst = 0; burst < copy.count; burst++) {
        const uint8_t* at = from + burst * step;
        if (memcmp(at, &value, 8) != 0 || memcmp(at, at + 8, copy.length - 8) != 0) return false; // each word equals the one behind it
    }
    return true;
}

void add_registers(uint8_t registers, Way way, std::vector<Touch>& to) {
    for (uint64_t bit = 0; registers >> bit; bit++) {
        if (!(registers >> bit & 1)) continue;
        Touch touch{Memory::GM, way, 0, 0, 0, {bit, 1, 1, 0}};
        touch.in_register = true;
        to.push_back(touch);
    }
}

uint8_t registers_read(const Head& head, const Row& row) {
    if (head.op == Op::vsel && reinterpret_cast<const Select&>(head).has_mask) return 0;
    return row.reads;
}

} // namespace

const Ranges& without_repeats(const Ranges& touched, Ranges& room) {
    const auto same = [](const Bytes& a, const Bytes& b) {
        return a.begin == b.begin && a.length == b.length && a.operand == b.operand && (a.count == b.count || !a.stride) &&
               a.stride == b.stride;
    };
    bool repeats = false;
    for (const Bytes* each = touched.begin(); each != touched.end() && !repeats; ++each) repeats = each->count > 1 && each->stride == 0;
    if (!repeats) return touched;
    room.clear();
    const Bytes* before = nullptr;
    for (const Bytes& each : touched) {
        if (before && same(*before, each)) continue;
        room.add(each.operand, each.role, each.begin, each.length, each.stride ? each.count : 1, each.stride);
        before = &each;
    }
    return room;
}

void touches_of(const Head& head, const Effect& effect, const Ranges& touched, const LocalMemory& memory, std::vector<Touch>& to) {
    to.clear();
    const Row& row = row_of(head.op);
    const Atomic atomic = atomic_of(head);
    for (const Bytes& each : touched) {
        if (each.role == Role::none) continue;
        const OperandRow& operand = row.operand[each.operand];
        Touch touch{operand.any_memory ? static_cast<Memory>(place_of(head, operand).memory) : operand.memory,
                    way_of(each.role),
                    each.operand,
                    0,
                    0,
                    each};
        if (effect.has_unit_flag && touch.memory == Memory::L0C) touch.marks |= kUnitFlag;
        if (touch.memory == Memory::GM && touch.way != Way::reads) {
            if (atomic.kind) {
                touch.way = Way::atomic;
                touch.atomic = atomic.kind;
                if (atomic.float_add) touch.marks |= kFloatAdd;
            } else if (is_uniform(head, each, memory, touch.value)) {
                touch.marks |= kUniform;
            }
        }
        to.push_back(touch);
    }
    add_registers(registers_read(head, row), Way::reads, to);
    add_registers(row.leaves, Way::writes, to);
}

void scalar_touches_of(const Head& head, const Effect& effect, const Ranges& touched, std::vector<Touch>& to) {
    to.clear();
    if (effect.reads_results) return add_registers(row_of(head.op).reads, Way::reads, to);
    if (!effect.is_access() && !effect.is_soft && !effect.cleans) return;
    const bool is_word = effect.is_soft || effect.passes_cache;
    const auto marks = static_cast<uint8_t>((effect.is_raw ? kRaw : 0) | (is_word ? kSyncWord : 0));
    for (const Bytes& each : touched) {
        const Way way = effect.cleans ? Way::reads : way_of(each.role);
        to.push_back({memory_of(head, row_of(head.op).operand[each.operand]), way, each.operand, marks, 0, each});
    }
}

} // namespace aclimb::check
