// SPDX-License-Identifier: Apache-2.0
// Checked access: the slow sides of Datapath::read and Datapath::write, and how a core ends with a fault.
#include "core/core.h"

#include "core/fiber.h"
#include "core/launch.h"
#include "core/whereabouts.h"
#include "core/worker.h"

namespace aclimb {
namespace {

// The L2 cache fetches whole lines: what a chip reads behind the end of a buffer, up to here, is mapped.
constexpr uint64_t kLine = 512;

bool in_last_line(const Allocation& buffer, uint64_t addr, uint64_t span) {
    const uint64_t end = (buffer.addr + buffer.size + kLine - 1) & ~(kLine - 1);
    return !buffer.freed && addr >= buffer.addr && addr < end && span <= end - addr;
}

} // namespace

Fault Datapath::make_fault(Named<FaultKind> kind) const {
    const Core& core = core_of(*this);
    Fault made;
    made.kind = kind;
    made.block = raw_block_idx;
    made.core_type = core_type;
    made.core_idx = core.core_idx;
    made.pc = reinterpret_cast<uint64_t>(pc);
    made.instruction = api_of(op);
    made.sub = core.origin.sub;
    return made;
}

void Datapath::fail(Fault made) {
    Core& core = core_of(*this);
    core.fault.clear();
    core.fault.push_back(std::move(made));
    core.state = CoreState::failed;
    void* never;
    aclimb_switch(&never, core.worker->scheduler_sp);
    __builtin_unreachable();
}

void Core::leave(const KernelSignal& signal) {
    worker->signal = signal;
    fault.clear();
    state = CoreState::failed;
    void* never;
    aclimb_switch(&never, worker->scheduler_sp);
    __builtin_unreachable();
}

void Core::leave_low_stack() {
    leave({KernelSignal::access, reinterpret_cast<uint64_t>(pc) - 1, reinterpret_cast<uint64_t>(stack), nullptr});
}

void Datapath::fail_unsupported(const char* sentence) { fail(make_fault("unsupported").text("sentence", sentence)); }

void Datapath::fail_range(const char* field, int64_t value, int64_t lowest, int64_t highest) {
    fail(make_fault("field_range").text("field", field).number("value", value).number("lowest", lowest).number("highest", highest));
}

void Datapath::fail_misaligned(const Place& place, uint32_t alignment, int operand) {
    fail(make_fault("misaligned")
             .text("memory", name_of(static_cast<Memory>(place.memory)))
             .number("operand", operand)
             .number("addr", static_cast<int64_t>(place.addr))
             .number("alignment", alignment));
}

void Datapath::refuse_freed(const Place& place, int operand) {
    look_at_freed(place, operand);
    run_again(place);
}

// Bookkeeping only: the bytes are still there.
void Datapath::look_at_freed(const Place& place, int operand) {
    if (!is_freed(place) || draining || goes_on()) return;
    const Slot& slot = slots[place.slot];
    refuse(make_fault("freed_tensor")
               .text("memory", name_of(static_cast<Memory>(place.memory)))
               .number("operand", operand)
               .number("first_byte", static_cast<int64_t>(place.addr))
               .number("last_byte", static_cast<int64_t>(place.addr + place.size) - 1)
               .site("InitBuffer", reinterpret_cast<uint64_t>(slot.where)));
}

// Beside the tensor's, which is the place's: how many bytes its buffer has from there on, and where a local memory ends. In global
// memory the allocation is both.
void Datapath::add_limits(Fault& made, const Place& place) {
    if (static_cast<Memory>(place.memory) == Memory::GM) {
        Allocation found;
        if (!core_of(*this).launch->memory->find(place.addr, found)) return;
        made.number("buffer_bytes", static_cast<int64_t>(found.addr + found.asked) - static_cast<int64_t>(place.addr));
        return;
    }
    made.number("memory_bytes", static_cast<int64_t>(memory->size[place.memory]));
    if (place.slot == kNoSlot) return;
    const Slot& slot = slots[place.slot];
    made.number("buffer_bytes", static_cast<int64_t>(slot.addr + slot.size) - static_cast<int64_t>(place.addr));
}

// A chip knows no tensors, only where a memory ends.
void Datapath::refuse_bounds(const Place& place, uint64_t span, int operand, bool writes) {
    const auto memory_kind = static_cast<Memory>(place.memory);
    const uint64_t limit = memory->size[place.memory];
    const bool leaves_memory = memory_kind != Memory::GM && (place.addr > limit || span > limit - place.addr);
    if (!leaves_memory && goes_on()) run_again(place);
    auto made = make_fault("out_of_bounds");
    made.text("memory", name_of(memory_kind))
        .number("operand", operand)
        .number("addr", static_cast<int64_t>(place.addr))
        .number("span", static_cast<int64_t>(span))
        .number("writes", writes)
        .number("tensor_bytes", static_cast<int64_t>(place.size));
    add_limits(made, place);
    if (leaves_memory) fail(std::move(made));
    refuse(std::move(made));
    run_again(place);
}

void Datapath::move_window(const Place& place, uint64_t span, int operand, bool writes) {
    const Launch& launch = *core_of(*this).launch;
    Allocation found;
    const bool any = launch.memory->nearest(place.addr, found);
    if (any) {
        window = {found.addr, found.addr + found.size, found.large && !launch.with_ranks()}; // stores around the cache come late
        if (window.holds(place.addr, span)) return;
    }
    if (const RankWindow* other = launch.with_ranks() ? window_at(launch, place.addr, span) : nullptr) {
        window = {other->addr, other->addr + other->size, false};
        return;
    }
    window = {};
    if (!writes && launch.kernel->has_data(place.addr, span)) return;
    const bool in_line = any && !writes && in_last_line(found, place.addr, span);
    if (in_line && goes_on()) return;
    auto made = make_fault("gm_out_of_bounds");
    made.number("operand", operand).number("addr", static_cast<int64_t>(place.addr)).number("span", static_cast<int64_t>(span));
    made.number("tensor_bytes", static_cast<int64_t>(place.size));
    if (launch.kernel->has_data(place.addr, 1)) made.text("memory_of", "kernel").number("writes", writes);
    else add_whereabouts(made, launch, place.addr);
    if (!in_line) fail(std::move(made));
    refuse(std::move(made));
}

} // namespace aclimb
