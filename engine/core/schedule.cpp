// SPDX-License-Identifier: Apache-2.0
#include "core/schedule.h"

#include <algorithm>

#include "aclimb/op.h"
#include "core/fiber.h"
#include "core/hang.h"
#include "core/issue.h"
#include "core/launch.h"
#include "core/plan.h"
#include "core/worker.h"
#include "isa/rows.h"

namespace aclimb {
namespace {

const Head& first_of(const PipeQueue& queue) { return *reinterpret_cast<const Head*>(queue.records.data() + queue.head + sizeof(Origin)); }
Origin origin_of(const PipeQueue& queue) {
    Origin origin;
    memcpy(&origin, queue.records.data() + queue.head, sizeof origin);
    return origin;
}

// The first record of a queue. False: it stands at a wait.
bool run_one(Core& core, int pipe) {
    auto& queue = core.queues[pipe];
    if (queue.empty()) return false;
    const void* pc = core.pc;
    const Op op = core.op;
    const Origin origin = core.origin;
    core.draining = true;
    core.origin = origin_of(queue);
    auto* head = reinterpret_cast<Head*>(queue.records.data() + queue.head + sizeof(Origin));
    core.pc = head->where;
    core.op = head->op;
    const bool ran = execute_record(core, *head);
    if (ran) queue.head += bytes_in_queue(*head);
    if (queue.empty()) {
        queue.head = queue.tail = 0;
        core.pending &= static_cast<uint8_t>(~(1 << pipe));
    }
    core.draining = false;
    core.pc = pc;
    core.op = op;
    core.origin = origin;
    return ran;
}

// Whether the schedule in late mode holds this record back.
bool is_held(const Core& core, int pipe) { return !core.fused || origin_of(core.queues[pipe]).set; }

// Every pipe stands, one of them at a set whose counter is full: until another core takes from it. False: none does.
bool wait_for_room(Core& core) {
    const Head* set = standing_set(core);
    if (!set) return false;
    Launch& launch = *core.launch;
    std::unique_lock lock(launch.mutex);
    core.wait = {Wait::cross_room, cross_flag_of(core, *set), 0, 0, 0, 0};
    launch.setters_waiting++;
    block_core(core, lock);
    launch.setters_waiting--; // one worker: nobody else looks
    return true;
}

void run_until(Core& core, auto done) {
    Schedule& schedule = *core.launch->schedule;
    for (bool progress = true; progress && !done();) {
        progress = false;
        const int from = schedule.mode == Schedule::random ? static_cast<int>(schedule.below(kPipes)) : 0;
        for (int i = 0; i < kPipes && !done(); i++) progress |= run_one(core, (from + i) % kPipes);
        if (!progress && !done()) progress = wait_for_room(core);
    }
}

void run_all(Core& core) {
    run_until(core, [&] { return !core.pending; });
}

// No pipe holds this much back on a chip either; and a long kernel would need memory for all of it.
bool is_long(const Core& core) {
    constexpr uint32_t kMost = 1 << 20;
    return std::any_of(std::begin(core.queues), std::end(core.queues), [](const PipeQueue& queue) { return queue.tail > kMost; });
}

// What the schedule lets run right behind an instruction that was queued.
void run_on(Core& core) {
    Schedule& schedule = *core.launch->schedule;
    switch (schedule.mode) {
    case Schedule::early: return run_all(core);
    case Schedule::late:
        if (is_long(core)) return run_all(core);
        for (bool progress = true; progress;) {
            progress = false;
            for (int pipe = 0; pipe < kPipes; pipe++)
                while (!core.queues[pipe].empty() && !is_held(core, pipe) && run_one(core, pipe)) progress = true;
        }
        return;
    case Schedule::random:
        if (schedule.below(2)) run_some(core, static_cast<int>(schedule.below(6)));
        if (schedule.below(16) == 0) yield_core(core);
    }
}

// What the scalar unit does at once, after those it has to wait for.
void run_on_scalar(Core& core, Head& head) {
    switch (head.op) {
    case Op::wait_flag: {
        const auto& flag = reinterpret_cast<const Flag&>(head);
        run_until(core, [&] { return core.flags[static_cast<int>(flag.src)][static_cast<int>(flag.dst)] >> flag.id & 1; });
        break;
    }
    case Op::set_flag: {
        const auto& flag = reinterpret_cast<const Flag&>(head);
        run_until(core, [&] { return !(core.flags[static_cast<int>(flag.src)][static_cast<int>(flag.dst)] >> flag.id & 1); });
        break;
    }
    case Op::cross_wait:
    case Op::post_message: // orders nothing but itself
    case Op::next_sender:
    case Op::take_message:
    case Op::pre_task_end:
    case Op::next_task_start:
    case Op::init_buffer:
    case Op::misuse:
    case Op::sub_kernel:
    case Op::system_cycle:
    case Op::get_hccl_context:
    case Op::set_hccl_context:
    case Op::dcci:
    case Op::dsb: break;
    default: run_all(core); // barriers; accesses that the compiler orders behind the pipes
    }
    execute_record(core, head);
}

// With its unit flag a Fixpipe waits for the Mmads before it, and a Mmad for the Fixpipes before it. The pipe that it waits for, or -1.
int pipe_before(const Head& head) {
    const bool mmad = head.op == Op::mmad || head.op == Op::mmad_sparse;
    if (mmad && reinterpret_cast<const Mmad&>(head).unit_flag) return static_cast<int>(Pipe::FIX);
    if (head.op == Op::fixpipe && reinterpret_cast<const Fixpipe&>(head).unit_flag) return static_cast<int>(Pipe::M);
    return -1;
}

// The scalar unit reads these registers without another instruction.
bool leaves_for_scalar(Op op) { return row_of(op).leaves & (kSumRegister | kExtremeRegister); }

} // namespace

const Head* standing_set(const Core& core) {
    for (const auto& queue : core.queues)
        if (!queue.empty() && (first_of(queue).op == Op::cross_set || first_of(queue).op == Op::next_task_start)) return &first_of(queue);
    return nullptr;
}

// SetNextTaskStart is one, with the flag of its kind of core.
uint8_t cross_flag_of(const Core& core, const Head& head) {
    if (head.op == Op::cross_set) return reinterpret_cast<const CrossFlag&>(head).id;
    return flag_of_all(core.core_type);
}

int run_some(Core& core, int most) {
    Schedule& schedule = *core.launch->schedule;
    int ran = 0, tries = 0;
    while (ran < most && core.pending && tries < 3 * kPipes) {
        if (run_one(core, static_cast<int>(schedule.below(kPipes)))) ran++;
        else tries++;
    }
    return ran;
}

Observer::Then Schedule::issued(Core& core, Head& head) {
    if (head.pipe == Pipe::S || head.pipe == Pipe::ALL) {
        run_on_scalar(core, head);
        return Then::taken;
    }
    if (const int before = pipe_before(head); before >= 0) run_until(core, [&] { return !(core.pending >> before & 1); });
    defer(core, &head);
    if (leaves_for_scalar(head.op)) run_until(core, [&] { return !(core.pending >> static_cast<int>(Pipe::V) & 1); });
    run_on(core);
    return Then::taken;
}

// Asked by the scheduler. One record, so that what it wakes gets its chance; until one ran, all are tried.
int drain_while_blocked(Core& core) {
    Schedule& schedule = *core.launch->schedule;
    const int from = schedule.mode == Schedule::random ? static_cast<int>(schedule.below(kPipes)) : 0;
    for (int i = 0; i < kPipes; i++)
        if (run_one(core, (from + i) % kPipes)) return 1;
    if (core.asked.give_up) {
        if (standing_set(core)) core.fail(cross_flag_overflow(core));
        for (int pipe = 0; pipe < kPipes; pipe++)
            if (!core.queues[pipe].empty() && first_of(core.queues[pipe]).op == Op::set_flag) {
                core.origin = origin_of(core.queues[pipe]);
                const auto& flag = reinterpret_cast<const Flag&>(first_of(core.queues[pipe]));
                core.pc = flag.head.where;
                core.op = Op::set_flag;
                const int src = static_cast<int>(flag.src), dst = static_cast<int>(flag.dst);
                core.fail(core.make_fault("flag_set_twice")
                              .text("flag", std::string(name_of(flag.src)) + "_" + name_of(flag.dst))
                              .number("id", flag.id)
                              .site("SetFlag", reinterpret_cast<uint64_t>(core.flag_site[src][dst][flag.id])));
            }
        core.fail(hang_in_core(core, "the end of the kernel"));
    }
    return 0;
}

void end_scheduled(Core& core) {
    Launch& launch = *core.launch;
    while (core.pending) {
        std::unique_lock lock(launch.mutex);
        core.wait = {Wait::tail, 0, 0, 0, 0, 0};
        core.state = CoreState::blocked;
        launch.waiting.push_back(&core);
        launch.blocked++;
        lock.unlock();
        aclimb_switch(&core.sp, core.worker->scheduler_sp);
        core.asked.drained = 0;
        if (core.asked.drain) {
            core.asked.drain = false;
            core.asked.drained = drain_while_blocked(core);
        }
        lock.lock();
        wake_core(core);
        lock.unlock();
        core.state = CoreState::running;
    }
}

} // namespace aclimb
