// SPDX-License-Identifier: Apache-2.0
// What the scalar unit does through an API call: GetValue, SetValue, cache maintenance, and the buffers of TPipe.
#include "core/issue.h"
#include "core/launch.h"
#include "core/plan.h"
#include "core/schedule.h"

namespace aclimb {
namespace {

// A core that reads the same kind of word over and over waits for another core: let that one run.
constexpr uint32_t kPollsBeforeYield = 64;
void count_poll(Core& core, uint64_t addr) {
    if (ACLIMB_LIKELY(++core.polls < kPollsBeforeYield)) return;
    core.polls = 0;
    if (ACLIMB_UNLIKELY(core.scheduled)) core.launch->schedule->polls(core, addr);
    yield_core(core);
}

const Kernel& own_kernel(const Core& core) {
    const bool inside = core.fused && core.origin.sub >= 0; // a member of a fused kernel
    return *(inside ? core.fused->chosen[static_cast<size_t>(core.origin.sub)].kernel : core.launch->kernel.get());
}

// What InitBuffer does not hand out. The last 128 bytes of L1 belong to the matmul library (TOTAL_L1_SIZE ends before them); in a kernel
// that prints, the last 256 bytes of UB and L1 to the system (ASC_UB_SIZE, ASC_L1_SIZE).
uint32_t reserved_bytes(Memory memory, bool prints) {
    if (memory != Memory::UB && memory != Memory::L1) return 0;
    return prints ? 256 : memory == Memory::L1 ? 128 : 0;
}

// The compiler orders a closed list of scalar accesses against V, MTE2 and MTE3 on an AIV. Where one of them stands at a wait, the access
// waits for it, and what it waits for will not be issued: a hang. Under a schedule much is pending that the access has nothing to do
// with; the schedule has seen to what comes first.
void require_ordered(Core& core, const ScalarAccess& access, const char* at) {
    constexpr uint8_t ordered = 1 << static_cast<int>(Pipe::V) | 1 << static_cast<int>(Pipe::MTE2) | 1 << static_cast<int>(Pipe::MTE3);
    if (!core.scheduled && core.pending & ordered && effect_of(core, access.head).is_listed) core.fail(hang_in_core(core, at));
}

const uint8_t* scalar_address(Core& core, const ScalarAccess& access, bool writes) {
    if (ACLIMB_UNLIKELY(core.pending)) require_ordered(core, access, writes ? "SetValue" : "GetValue");
    const size_t bytes = size_of(access.head.dtype);
    if (ACLIMB_UNLIKELY(access.at.addr & (bytes - 1))) core.require_aligned(access.at, static_cast<uint32_t>(bytes), 0);
    return writes ? core.write(access.at, bytes, 0) : core.read(access.at, bytes, 0);
}

// What a vector instruction left in a register: the compiler orders the scalar unit behind it.
bool vector_result(Core& core, Head& head, const char* call, const uint64_t& found) {
    if (!core.scheduled) require_idle(core, call);
    reinterpret_cast<ScalarAccess&>(head).value = found;
    return true;
}

} // namespace

bool execute_scalar_load(Core& core, Head& head) {
    auto& access = reinterpret_cast<ScalarAccess&>(head);
    if (access.at.memory == static_cast<uint64_t>(Memory::GM)) count_poll(core, access.at.addr);
    const uint8_t* from = scalar_address(core, access, false);
    switch (size_of(head.dtype)) {
    case 1: access.value = *from; break;
    case 2: access.value = *reinterpret_cast<const uint16_t*>(from); break;
    case 4: access.value = *reinterpret_cast<const uint32_t*>(from); break;
    default: access.value = *reinterpret_cast<const uint64_t*>(from);
    }
    return true;
}

bool execute_scalar_store(Core& core, Head& head) {
    const auto& access = reinterpret_cast<ScalarAccess&>(head);
    auto* to = const_cast<uint8_t*>(scalar_address(core, access, true));
    memcpy(to, &access.value, size_of(head.dtype));
    return true;
}

bool execute_merged_result(Core& core, Head& head) { return vector_result(core, head, "GetMrgSortResult", core.merged); }
bool execute_gathered_result(Core& core, Head& head) { return vector_result(core, head, "rsvdCnt of GatherMask", core.gathered); }
bool execute_sum_result(Core& core, Head& head) { return vector_result(core, head, "GetReduceRepeatSumSpr", core.reduce_sum); }
bool execute_extreme_result(Core& core, Head& head) {
    return vector_result(core, head, "GetReduceRepeatMaxMinSpr", (core.reduce_value & 0xffffffff) | core.reduce_index << 32);
}

// The kernel's own code makes the access: these only tell observers of it.
bool execute_raw_load(Core& core, Head& head) {
    const Place& at = reinterpret_cast<const ScalarAccess&>(head).at;
    if (at.memory == static_cast<uint64_t>(Memory::GM)) count_poll(core, at.addr);
    return true;
}
bool execute_raw_store(Core&, Head&) { return true; }

// ScalarAccess::at.size has the number of the group, at.addr what SetHcclContext was given.
bool execute_get_hccl_context(Core& core, Head& head) {
    auto& access = reinterpret_cast<ScalarAccess&>(head);
    access.value = core.hccl_context[access.at.size];
    if (ACLIMB_UNLIKELY(!access.value)) core.fail(core.make_fault("ranks_missing").number("id", static_cast<int64_t>(access.at.size)));
    return true;
}

bool execute_set_hccl_context(Core& core, Head& head) {
    const auto& access = reinterpret_cast<const ScalarAccess&>(head);
    core.hccl_context[access.at.size] = access.at.addr;
    return true;
}

bool execute_dcci(Core& core, Head& head) {
    count_poll(core, reinterpret_cast<const ScalarAccess&>(head).at.addr);
    return true; // scalar accesses are coherent here
}

bool execute_dsb(Core&, Head&) { return true; } // what the scalar unit wrote is there already; it does not wait for the pipes

bool execute_init_buffer(Core& core, Head& head) {
    if (head.where) core.pc = head.where; // issued from a function that is not inlined: it says who called it
    auto& request = reinterpret_cast<InitBuffer&>(head);
    const int memory = request.memory;
    const uint64_t length = (uint64_t{request.length} + 31) & ~uint64_t{31};
    const Kernel& kernel = own_kernel(core);
    const uint32_t there = core.memory->size[memory];
    const bool prints = kernel.prints || kernel.asserts;
    const uint32_t reserved = there ? reserved_bytes(static_cast<Memory>(memory), prints) : 0;
    const uint32_t usable_on_chip =
        there ? there - reserved_bytes(static_cast<Memory>(memory), kernel.prints) : 0; // an assert takes nothing
    uint32_t usable = there - reserved;
    auto describe = [&](Named<FaultKind> kind) {
        auto fault = core.make_fault(kind);
        fault.text("memory", name_of(static_cast<Memory>(memory)))
            .number("count", request.count)
            .number("length", static_cast<int64_t>(length))
            .number("free", static_cast<int64_t>(usable) - core.next_free[memory])
            .number("memory_bytes", usable)
            .number("kept_for_printing", prints && usable == there - reserved ? reserved : 0)
            .number("slots", core.slot_count);
        for (uint32_t i = 0; i < core.slot_count; i++)
            if (core.slots[i].memory == memory)
                fault.site(std::to_string(core.slots[i].addr) + " " + std::to_string(core.slots[i].size),
                           reinterpret_cast<uint64_t>(core.slots[i].where));
        return fault;
    };
    const bool fixed = request.fixed_addr != ~uint64_t{0};
    const uint64_t begin = fixed ? request.fixed_addr : core.next_free[memory];
    const uint64_t end = begin + length * request.count;
    if (!core.memory->size[memory]) core.fail(describe("no_such_memory"));
    if (ACLIMB_UNLIKELY(!length || !request.count)) core.refuse(describe("empty_buffer"));
    if (core.slot_count + request.count > kSlots) core.fail(describe("too_many_buffers"));
    if (ACLIMB_UNLIKELY(end > usable)) {
        if (end <= usable_on_chip && !core.goes_on()) core.refuse(describe("buffer_overflow"));
        usable = usable_on_chip;
        if (end > usable) core.fail(describe("buffer_overflow"));
    }
    request.first_slot = static_cast<uint8_t>(core.slot_count);
    for (uint32_t i = 0; i < request.count; i++) {
        Slot& slot = core.slots[core.slot_count++];
        slot.addr = static_cast<uint32_t>(begin + length * i);
        slot.size = static_cast<uint32_t>(length);
        slot.generation = (slot.generation + 1) & 0xfff;
        slot.memory = static_cast<uint8_t>(memory);
        slot.position = request.position;
        slot.state = SlotState::free;
        slot.enque_id = slot.free_id = -1;
        slot.where = core.pc;
    }
    if (!fixed) core.next_free[memory] = static_cast<uint32_t>(end);
    return true;
}

namespace {

bool runs_on_a_chip(const Misuse& misuse) {
    constexpr int64_t kBlock = 32;
    if (misuse.kind == static_cast<uint32_t>(MisuseKind::unpadded_rows))
        return misuse.values[0] % kBlock == 0;                                                          // whole blocks need no padding
    if (misuse.kind == static_cast<uint32_t>(MisuseKind::not_from_queue)) return misuse.values[0] != 0; // FreeTensor by another queue
    return misuse.kind == static_cast<uint32_t>(MisuseKind::partial_block);
}

} // namespace

bool execute_misuse(Core& core, Head& head) {
    const auto& misuse = reinterpret_cast<Misuse&>(head);
    if (head.where) core.pc = head.where; // issued from a function that is not inlined: it says who called it
    static_assert(kFirst<MisuseKind> == 1);
    constexpr auto kinds = [] { // of the same names
        std::array<FaultKind, kNames<MisuseKind>.size()> made{};
        for (size_t i = 0; i < made.size(); i++) made[i] = enum_value<FaultKind>(kNames<MisuseKind>[i]);
        return made;
    }();
    constexpr FaultNumber values[] = {FaultNumber::value0, FaultNumber::value1, FaultNumber::value2, FaultNumber::value3};
    const bool runs = runs_on_a_chip(misuse);
    if (runs && core.goes_on()) return true;
    auto fault = core.make_fault(kinds[misuse.kind - 1]);
    if (misuse.text) fault.text("text", misuse.text);
    if (misuse.kind == static_cast<uint32_t>(MisuseKind::warning)) {
        if (core.launch->kernel->told.first_time(FaultKind::warning, reinterpret_cast<uint64_t>(core.pc)))
            core.launch->note(std::move(fault));
        return true;
    }
    for (int i = 0; i < 4; i++) fault.number(values[i], misuse.values[i]);
    if (!runs) core.fail(std::move(fault));
    core.refuse(std::move(fault));
    return true;
}

} // namespace aclimb
