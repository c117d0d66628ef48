// SPDX-License-Identifier: Apache-2.0
// What all schedules share: running the first record of a queue, what the scalar unit waits for, and the end of a core.
#include "core/schedule.h"

#include <algorithm>

#include "aclimb/op.h"
#include "core/fiber.h"
#include "core/hang.h"
#include "core/issue.h"
#include "core/launch.h"
#include "core/worker.h"
#include "isa/ranges.h"

namespace aclimb {
namespace {

bool has_flag(const Core& core, const Flag& flag) {
    return core.flags[static_cast<int>(flag.src)][static_cast<int>(flag.dst)] >> flag.id & 1;
}

bool meets(const Rectangle& rows, uint64_t begin, uint64_t end) {
    if (end <= rows.begin || begin >= rows.end()) return false;
    if (begin < rows.begin || rows.stride <= static_cast<int64_t>(rows.length)) return true;
    const uint64_t in_row = (begin - rows.begin) % static_cast<uint64_t>(rows.stride);
    return in_row < rows.length || in_row + (end - begin) > static_cast<uint64_t>(rows.stride);
}

void add_bytes(const Core& core, const Head& head, uint32_t at, std::vector<QueuedBytes>& to) {
    thread_local Ranges touched; // one record at a time
    const Row& row = row_of(head.op);
    ranges_of(core, head, touched);
    for (const Bytes& bytes : touched) {
        const OperandRow& operand = row.operand[bytes.operand];
        const uint64_t memory = operand.any_memory ? place_of(head, operand).memory : static_cast<uint64_t>(operand.memory);
        to.push_back({at, static_cast<uint8_t>(memory), writes(bytes.role), bytes});
    }
}

// What is asked again and again for a long queue is found once for each record.
const std::vector<QueuedBytes>& bytes_of(const Core& core, PipeQueue& queue) {
    for (uint32_t at = std::max(queue.looked, queue.head); at < queue.tail;) {
        const auto& head = *reinterpret_cast<const Head*>(queue.records.data() + at + sizeof(Origin));
        if (handles_data(row_of(head.op).kind)) add_bytes(core, head, at, queue.bytes);
        at += bytes_in_queue(head);
    }
    queue.looked = queue.tail;
    return queue.bytes;
}

bool conflicts(const QueuedBytes& bytes, const ScalarAccess& access) {
    const uint64_t begin = access.at.addr, end = begin + size_of(access.head.dtype);
    return bytes.memory == access.at.memory && (bytes.writes || access.head.op == Op::scalar_store) && meets(bytes.rows, begin, end);
}

// The compiler puts its flag right before such an access, for each pipe that has something to do with the same bytes; the flag then waits
// for everything that pipe was given.
uint8_t pipes_behind_which(Core& core, const ScalarAccess& access) {
    if (!core.pending || !is_listed(core, access)) return 0;
    uint8_t found = 0;
    for (const Pipe pipe : {Pipe::V, Pipe::MTE2, Pipe::MTE3}) {
        PipeQueue& queue = core.queues[static_cast<int>(pipe)];
        if (queue.empty()) continue;
        const auto& all = bytes_of(core, queue);
        const auto first =
            std::lower_bound(all.begin(), all.end(), queue.head, [](const QueuedBytes& each, uint32_t at) { return each.at < at; });
        if (std::any_of(first, all.end(), [&](const QueuedBytes& each) { return conflicts(each, access); })) found |= bit_of(pipe);
    }
    return found;
}

} // namespace

bool conflicts(const Core& core, const Head& head, const ScalarAccess& access) {
    std::vector<QueuedBytes> all;
    add_bytes(core, head, 0, all);
    return std::any_of(all.begin(), all.end(), [&](const QueuedBytes& each) { return conflicts(each, access); });
}

bool is_listed(const Core& core, const ScalarAccess& access) {
    if (core.core_type != CoreType::AIV) return false;
    if (access.way == ScalarWay::element) return true;
    const bool stores_gm = access.head.op == Op::scalar_store && access.at.memory == static_cast<uint64_t>(Memory::GM);
    return access.way == ScalarWay::value && !stores_gm;
}

bool Need::is_met(const Core& core) const {
    return !(core.pending & pipes) && (!set || has_flag(core, *set)) && (!taken || !has_flag(core, *taken));
}

Need need_of(Core& core, const Head& head) {
    Need need;
    switch (head.op) {
    case Op::wait_flag: need.set = &reinterpret_cast<const Flag&>(head); break;
    case Op::set_flag: need.taken = &reinterpret_cast<const Flag&>(head); break;
    case Op::scalar_load:
    case Op::scalar_store: need.pipes = pipes_behind_which(core, reinterpret_cast<const ScalarAccess&>(head)); break;
    case Op::merged_result:
    case Op::gathered_result:
    case Op::sum_result:
    case Op::extreme_result: need.pipes = core.core_type == CoreType::AIV ? bit_of(Pipe::V) : 0; break;
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
    case Op::dsb:
    case Op::raw_load: // no compiler orders a plain pointer
    case Op::raw_store: break;
    default: need.pipes = kAllPipes; // barriers, and what begins with one
    }
    return need;
}

// With its unit flag a Fixpipe waits for the Mmads before it, and a Mmad for the Fixpipes before it.
Need need_before(const Head& head) {
    const bool mmad = head.op == Op::mmad || head.op == Op::mmad_sparse;
    if (mmad && reinterpret_cast<const Mmad&>(head).unit_flag) return {bit_of(Pipe::FIX), nullptr, nullptr};
    if (head.op == Op::fixpipe && reinterpret_cast<const Fixpipe&>(head).unit_flag) return {bit_of(Pipe::M), nullptr, nullptr};
    return {};
}

bool is_stopped_by(const Head& head) {
    switch (head.op) {
    case Op::scalar_load:
    case Op::scalar_store:
    case Op::merged_result:
    case Op::gathered_result:
    case Op::sum_result:
    case Op::extreme_result: return true;
    default: return false;
    }
}

void fail_unmet(Core& core, const Head& head) {
    core.fail(hang_in_core(core, head.op == Op::gathered_result ? "rsvdCnt of GatherMask" : api_of(head.op)));
}

const Head& first_of(const PipeQueue& queue) { return *reinterpret_cast<const Head*>(queue.records.data() + queue.head + sizeof(Origin)); }
const Origin& origin_of(const PipeQueue& queue) { return *reinterpret_cast<const Origin*>(queue.records.data() + queue.head); }

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
        queue.clear();
        core.pending &= static_cast<uint8_t>(~(1 << pipe));
    }
    core.draining = false;
    core.pc = pc;
    core.op = op;
    core.origin = origin;
    return ran;
}

bool is_long(const Core& core) {
    constexpr uint32_t kMost = 1 << 20;
    return std::any_of(std::begin(core.queues), std::end(core.queues), [](const PipeQueue& queue) { return queue.tail > kMost; });
}

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

int drain_while_blocked(Core& core) {
    if (const int ran = core.launch->schedule->drain(core)) return ran;
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
