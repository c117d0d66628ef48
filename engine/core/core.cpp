// SPDX-License-Identifier: Apache-2.0
// Checked access: the slow sides of Core::read and Core::write, and how a core ends with a fault.
#include "core/core.h"

#include "core/accesses.h"
#include "core/fiber.h"
#include "core/launch.h"
#include "core/whereabouts.h"
#include "core/worker.h"

namespace aclimb {

Fault Core::make_fault(const char* kind) const {
    Fault made;
    made.kind = kind;
    made.block = raw_block_idx;
    made.core_type = core_type;
    made.core_idx = core_idx;
    made.pc = reinterpret_cast<uint64_t>(pc);
    made.instruction = op == Op::count ? "" : api_of(op);
    made.sub = origin.sub;
    return made;
}

void Core::fail(Fault made) {
    fault.clear();
    fault.push_back(std::move(made));
    state = CoreState::failed;
    void* never;
    aclimb_switch(&never, worker->scheduler_sp);
    __builtin_unreachable();
}

void Core::fail_unsupported(const char* sentence) { fail(make_fault("unsupported").text("sentence", sentence)); }

void Core::fail_range(const char* field, int64_t value, int64_t lowest, int64_t highest) {
    fail(make_fault("field_range").text("field", field).number("value", value).number("lowest", lowest).number("highest", highest));
}

void Core::fail_misaligned(const Place& place, uint32_t alignment, int operand) {
    fail(make_fault("misaligned")
             .text("memory", name_of(static_cast<Memory>(place.memory)))
             .number("operand", operand)
             .number("addr", static_cast<int64_t>(place.addr))
             .number("alignment", alignment));
}

void Core::fail_freed(const Place& place, int operand) {
    const Slot& slot = slots[place.slot];
    fail(make_fault("freed_tensor")
             .text("memory", name_of(static_cast<Memory>(place.memory)))
             .number("operand", operand)
             .number("first_byte", static_cast<int64_t>(place.addr))
             .number("last_byte", static_cast<int64_t>(place.addr + place.size) - 1)
             .site("InitBuffer", reinterpret_cast<uint64_t>(slot.where)));
}

void Core::fail_bounds(const Place& place, uint64_t span, int operand) {
    const auto memory_kind = static_cast<Memory>(place.memory);
    auto made = make_fault("out_of_bounds");
    made.text("memory", name_of(memory_kind))
        .number("operand", operand)
        .number("addr", static_cast<int64_t>(place.addr))
        .number("span", static_cast<int64_t>(span))
        .number("tensor_bytes", static_cast<int64_t>(place.size));
    if (memory_kind != Memory::GM) made.number("memory_bytes", memory->size[place.memory]);
    fail(std::move(made));
}

void Core::move_window(const Place& place, uint64_t span, int operand, bool writes) {
    Allocation found;
    const bool any = launch->memory->nearest(place.addr, found);
    if (any) {
        window = {found.addr, found.addr + found.size, found.large};
        if (window.holds(place.addr, span)) {
            if (ACLIMB_UNLIKELY(launch->accesses != nullptr)) { // asked again for the next one
                launch->accesses->add(origin, writes, place.addr, span);
                window = {};
            }
            return;
        }
    }
    window = {};
    auto made = make_fault("gm_out_of_bounds");
    made.number("operand", operand).number("addr", static_cast<int64_t>(place.addr)).number("span", static_cast<int64_t>(span));
    add_whereabouts(made, *launch, place.addr);
    fail(std::move(made));
}

} // namespace aclimb
