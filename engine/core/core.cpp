// SPDX-License-Identifier: Apache-2.0
// Checked access: the slow sides of Datapath::read and Datapath::write, and how a core ends with a fault.
#include "core/core.h"

#include "core/fiber.h"
#include "core/launch.h"
#include "core/whereabouts.h"
#include "core/worker.h"

namespace aclimb {
namespace {

// A chip maps its memory in pieces of this size, so whatever lies behind the end of a buffer can be read, up to here from its beginning.
constexpr uint64_t kMapped = 2 << 20;

bool in_mapped(const Allocation& from, uint64_t addr, uint64_t span) {
    const uint64_t bytes = from.end_on_chip() - from.addr, mapped = (bytes + kMapped - 1) & ~(kMapped - 1);
    return addr - from.addr < mapped && span <= mapped - (addr - from.addr);
}

bool is_own_on_chip(const Allocation& from, uint64_t addr, uint64_t span) {
    return addr >= from.addr && addr < from.end_on_chip() && span <= from.end_on_chip() - addr;
}

// Whole blocks that begin inside the allocation and end inside its last block: a count that was rounded up.
bool is_rounded_up(const Allocation& from, uint64_t addr, uint64_t span) {
    return addr >= from.addr && addr < from.end() && span % kOwnBlock == 0 && span > from.end() - addr &&
           span <= from.end_of_blocks() - addr;
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

Fault Datapath::out_of_bounds(const Place& place, uint64_t span, int operand, bool writes) {
    auto made = make_fault("out_of_bounds");
    made.text("memory", name_of(static_cast<Memory>(place.memory)))
        .number("operand", operand)
        .number("addr", static_cast<int64_t>(place.addr))
        .number("span", static_cast<int64_t>(span))
        .number("writes", writes)
        .number("tensor_bytes", static_cast<int64_t>(place.size));
    add_limits(made, place);
    return made;
}

// Of a local memory. A chip knows no tensors, only where a memory ends.
void Datapath::refuse_bounds(const Place& place, uint64_t span, int operand, bool writes) {
    const uint64_t limit = memory->size[place.memory];
    const bool leaves_memory = place.addr > limit || span > limit - place.addr;
    if (!leaves_memory && goes_on()) run_again(place);
    auto made = out_of_bounds(place, span, operand, writes);
    if (leaves_memory) fail(std::move(made));
    refuse(std::move(made));
    run_again(place);
}

// The length that SetGlobalBuffer was given. Where the allocation ends with it, reading the rest of the last block is no more than a
// warning.
void Datapath::look_at_declared(const Place& place, uint64_t span, int operand, bool writes) {
    Allocation from;
    const bool at_the_end = !writes && core_of(*this).launch->memory->find(place.addr, from) && is_rounded_up(from, place.addr, span) &&
                            place.addr + place.size >= from.end();
    if (at_the_end) return warn_of_blocks(place, span, operand, from);
    if (!goes_on()) refuse(out_of_bounds(place, span, operand, writes));
}

// Inside the memory that a chip has for the allocation, and zeros here. Once for each line, of the first core that came there.
void Datapath::warn_of_blocks(const Place& place, uint64_t span, int operand, const Allocation& from) {
    if (has_noted()) return;
    Core& core = core_of(*this);
    auto made = make_fault("block_past_end");
    made.number("operand", operand)
        .number("bytes", static_cast<int64_t>(place.addr + span - from.end()))
        .number("size", static_cast<int64_t>(from.asked))
        .number("limit", static_cast<int64_t>(from.end_of_blocks() - from.addr));
    core.launch->went_on(std::move(made), core.unit);
}

// Behind what an allocation promises. What a chip has there: the rest of the last block and one more, which may be written, too; and
// whatever else it has mapped, which can be read. Where nothing is allocated here, that is zeros: no page of ours lies between two pieces.
uint8_t* Datapath::reach_beyond(const Place& place, uint64_t span, int operand, bool writes) {
    Core& core = core_of(*this);
    const Launch& launch = *core.launch;
    auto* there = reinterpret_cast<uint8_t*>(place.addr);
    Allocation from;
    Retired gone;
    const bool is_freed = launch.memory->find_freed(place.addr, gone) && is_argument(launch, gone);
    const bool behind = !is_freed && launch.memory->last_before(place.addr, from);
    if (behind && !writes && is_rounded_up(from, place.addr, span)) {
        warn_of_blocks(place, span, operand, from);
        return there; // blocks end where pages do
    }
    const bool runs = behind && (writes ? is_own_on_chip(from, place.addr, span) : in_mapped(from, place.addr, span));
    if (!runs || !goes_on()) {
        auto made = make_fault("gm_out_of_bounds");
        made.number("operand", operand).number("addr", static_cast<int64_t>(place.addr)).number("span", static_cast<int64_t>(span));
        made.number("tensor_bytes", static_cast<int64_t>(place.size)).number("writes", writes);
        if (launch.kernel->has_data(place.addr, 1)) made.text("memory_of", "kernel");
        else add_whereabouts(made, launch, place.addr);
        if (!runs) fail(std::move(made));
        refuse(std::move(made));
    }
    if (writes) core.launch->memory->widen(from.addr);
    if (writes || place.addr + span <= from.end_of_pages()) return there;
    if (core.beyond.size() <= static_cast<size_t>(operand)) core.beyond.resize(static_cast<size_t>(operand) + 1);
    auto& bytes = core.beyond[static_cast<size_t>(operand)];
    bytes.assign(span, 0);
    launch.memory->copy_allocated(place.addr, span, bytes.data());
    return bytes.data();
}

uint8_t* Datapath::move_window(const Place& place, uint64_t span, int operand, bool writes) {
    const Launch& launch = *core_of(*this).launch;
    Allocation found;
    const bool any = launch.memory->nearest(place.addr, found);
    if (any) window = {found.addr, found.addr + found.size, found.large && !launch.with_ranks()}; // stores around the cache come late
    if (!any || !window.holds(place.addr, span)) {
        if (const RankWindow* other = launch.with_ranks() ? window_at(launch, place.addr, span) : nullptr) {
            window = {other->addr, other->addr + other->size, false};
        } else {
            window = {};
            if (writes || !launch.kernel->has_data(place.addr, span)) {
                uint8_t* const bytes = reach_beyond(place, span, operand, writes);
                if (place.size && span > place.size) look_at_declared(place, span, operand, writes);
                return bytes;
            }
        }
    }
    if (place.size && span > place.size) look_at_declared(place, span, operand, writes);
    return reinterpret_cast<uint8_t*>(place.addr);
}

} // namespace aclimb
