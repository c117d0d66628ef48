// SPDX-License-Identifier: Apache-2.0
// The seven pipes. An instruction whose pipe has nothing pending runs as soon as it is issued; one that finds its pipe
// stopped at a wait is kept behind it, and runs when a flag lets the pipe go on. Program order inside a pipe always holds.
#include "core/issue.h"

#include "aclimb/op.h"
#include "core/fiber.h"
#include "core/launch.h"
#include "isa/ranges.h"

namespace aclimb {
namespace {

constexpr uint32_t kQueueLimit = 64u << 20;

void tell_executed(Core& core, const Head& head) {
    thread_local Ranges touched; // no observer lets another core run
    ranges_of(core, head, touched);
    for (const auto& each : core.launch->observers) each->executed(core, head, touched);
}

// A record of a kernel that was built with more rows than this engine has, or that was written over, must not index a table.
__attribute__((noinline, cold)) void fail_unknown(Core& core) {
    core.fail(core.make_fault("unknown_instruction").number("op", static_cast<int64_t>(core.op)).number("known", kRowCount));
}

} // namespace

bool execute_record(Core& core, Head& head) {
    const Launch& launch = *core.launch;
    if (ACLIMB_UNLIKELY(launch.tells_executed))
        for (const auto& each : launch.observers) each->executing(core, head);
    const bool ran = ACLIMB_UNLIKELY(launch.lax) ? execute_lax(core, head) : execute_table[static_cast<int>(head.op)](core, head);
    if (ACLIMB_UNLIKELY(launch.tells_executed) && ran) tell_executed(core, head);
    return ran;
}

uint32_t bytes_in_queue(const Head& head) { return static_cast<uint32_t>(sizeof(Origin)) + ((head.size + 7) & ~7u); }

// A record that is kept may point to memory of the kernel's stack only while it is executed at once: such records
// (GetValue, printf, ...) belong to pipe S, which never has anything pending.
__attribute__((noinline)) void defer(Core& core, const Head* head) {
    auto& queue = core.queues[static_cast<int>(head->pipe)];
    const uint32_t size = bytes_in_queue(*head);
    if (queue.tail + size > kQueueLimit) core.fail(core.make_fault("queue_limit").number("bytes", kQueueLimit));
    if (queue.records.size() < queue.tail + size) queue.records.resize(std::max<size_t>(4096, 2 * (queue.tail + size)));
    // Whether a tensor was freed is asked when the instruction is issued: the FreeTensor behind it is no mistake.
    const Row& row = row_of(head->op);
    for (int i = 0; i < row.operands; i++) {
        const Place& place = place_of(*head, row.operand[i]);
        if (place.memory != static_cast<uint64_t>(Memory::GM) && core.is_freed(place)) core.look_at_freed(place, i);
    }
    uint8_t* at = queue.records.data() + queue.tail;
    memcpy(at, &core.origin, sizeof(Origin));
    memcpy(at + sizeof(Origin), head, head->size);
    reinterpret_cast<Head*>(at + sizeof(Origin))->where = core.pc;
    queue.tail += size;
    core.pending |= 1 << static_cast<int>(head->pipe);
}

void drain(Core& core) {
    if (core.draining) return;
    core.draining = true;
    const void* pc = core.pc;
    const Op op = core.op;
    const Origin origin = core.origin;
    while (const uint8_t ready = core.wake & core.pending) {
        const int pipe = __builtin_ctz(ready);
        auto& queue = core.queues[pipe];
        core.wake &= ~(1 << pipe);
        while (!queue.empty()) {
            memcpy(&core.origin, queue.records.data() + queue.head, sizeof(Origin));
            auto* head = reinterpret_cast<Head*>(queue.records.data() + queue.head + sizeof(Origin));
            core.pc = head->where;
            core.op = head->op;
            if (!execute_record(core, *head)) break;
            queue.head += bytes_in_queue(*head);
        }
        if (queue.empty()) {
            queue.clear();
            core.pending &= ~(1 << pipe);
        }
    }
    core.pc = pc;
    core.op = op;
    core.origin = origin;
    core.draining = false;
}

void issue(CoreView* view, Head* head) {
    auto& core = *static_cast<Core*>(view);
    core.pc = ACLIMB_LIKELY(!core.caller) ? __builtin_return_address(0) : core.caller;
    if (ACLIMB_UNLIKELY(stack_is_low())) core.leave_low_stack();
    core.op = head->op;
    if (ACLIMB_UNLIKELY(head->op >= Op::count)) fail_unknown(core);
    const int pipe = static_cast<int>(head->pipe);
    if (ACLIMB_LIKELY(!(core.pending >> pipe & 1)) && ACLIMB_LIKELY(execute_table[static_cast<int>(head->op)](core, *head))) return;
    defer(core, head);
}

void issue_observed(CoreView* view, Head* head) {
    auto& core = *static_cast<Core*>(view);
    core.pc = ACLIMB_LIKELY(!core.caller) ? __builtin_return_address(0) : core.caller;
    if (ACLIMB_UNLIKELY(stack_is_low())) core.leave_low_stack();
    core.op = head->op;
    if (ACLIMB_UNLIKELY(head->op >= Op::count)) fail_unknown(core);
    for (const auto& each : core.launch->observers)
        if (each->issued(core, *head) != Observer::Then::go_on) return;
    const int pipe = static_cast<int>(head->pipe);
    if (core.pending >> pipe & 1 || !execute_record(core, *head)) defer(core, head);
}

Fault hang_in_core(Core& core, const char* at) {
    auto fault = core.make_fault("hang");
    fault.text("at", at);
    for (int pipe = 0; pipe < kPipes; pipe++) {
        const auto& queue = core.queues[pipe];
        if (queue.empty()) continue;
        const auto* wait = reinterpret_cast<const Flag*>(queue.records.data() + queue.head + sizeof(Origin));
        fault.text("wait", std::string(name_of(wait->src)) + " " + name_of(wait->dst) + " " + std::to_string(wait->id));
        fault.site(name_of(static_cast<Pipe>(pipe)), reinterpret_cast<uint64_t>(wait->head.where));
    }
    return fault;
}

void fail_set_twice(Core& core, const Flag& flag) {
    const void* before = core.flag_site[static_cast<int>(flag.src)][static_cast<int>(flag.dst)][flag.id];
    core.fail(core.make_fault("flag_set_twice")
                  .text("flag", std::string(name_of(flag.src)) + "_" + name_of(flag.dst))
                  .number("id", flag.id)
                  .site("SetFlag", reinterpret_cast<uint64_t>(before)));
}

void require_idle(Core& core, const char* at) {
    if (ACLIMB_UNLIKELY(core.pending)) core.fail(hang_in_core(core, at));
}

} // namespace aclimb
