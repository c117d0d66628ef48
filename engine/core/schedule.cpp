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

bool conflicts(const QueuedBytes& bytes, const ScalarAccess& access, bool stores) {
    const uint64_t begin = access.at.addr, end = begin + size_of(access.head.dtype);
    return bytes.memory == access.at.memory && (bytes.writes || stores) && meets(bytes.rows, begin, end);
}

// The compiler puts its flag right before such an access, for each pipe that has something to do with the same bytes; the flag then waits
// for everything that pipe was given.
uint8_t pipes_behind_which(Core& core, const ScalarAccess& access, bool stores) {
    if (!core.pending) return 0;
    uint8_t found = 0;
    for (const Pipe pipe : {Pipe::V, Pipe::MTE2, Pipe::MTE3}) {
        PipeQueue& queue = core.queues[static_cast<int>(pipe)];
        if (queue.empty()) continue;
        const auto& all = bytes_of(core, queue);
        const auto first =
            std::lower_bound(all.begin(), all.end(), queue.head, [](const QueuedBytes& each, uint32_t at) { return each.at < at; });
        if (std::any_of(first, all.end(), [&](const QueuedBytes& each) { return conflicts(each, access, stores); })) found |= bit_of(pipe);
    }
    return found;
}

} // namespace

bool conflicts(const Core& core, const Head& head, const ScalarAccess& access) {
    std::vector<QueuedBytes> all;
    add_bytes(core, head, 0, all);
    const bool stores = effect_of(core, access.head).stores;
    return std::any_of(all.begin(), all.end(), [&](const QueuedBytes& each) { return conflicts(each, access, stores); });
}

bool Need::is_met(const Core& core) const {
    return !(core.pending & pipes) && (!set || has_flag(core, *set)) && (!taken || !has_flag(core, *taken));
}

// A record of another pipe waits in its queue for flags.
Need need_of(Core& core, const Head& head) {
    const Effect effect = effect_of(core, head);
    Need need;
    need.pipes = effect.after;
    if (head.pipe != Pipe::S && head.pipe != Pipe::ALL) {
        if (effect.is_barrier) need.pipes = 0;
        return need;
    }
    if (effect.waits == Meet::flag) need.set = &reinterpret_cast<const Flag&>(head);
    if (effect.signals == Meet::flag) need.taken = &reinterpret_cast<const Flag&>(head);
    if (effect.is_listed && effect.reads_results) need.pipes = bit_of(Pipe::V);
    if (effect.is_listed && effect.is_access())
        need.pipes = pipes_behind_which(core, reinterpret_cast<const ScalarAccess&>(head), effect.stores);
    return need;
}

bool is_stopped_by(const Core& core, const Head& head) {
    const Effect effect = effect_of(core, head);
    return effect.reads_results || ((effect.loads || effect.stores) && !effect.is_raw);
}

void fail_unmet(Core& core, const Head& head) {
    core.fail(hang_in_core(core, row_of(head.op).reads & kGatheredRegister ? "rsvdCnt of GatherMask" : api_of(head.op)));
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

Effect effect_of_first(const Core& core, const PipeQueue& queue) { return effect_of(core, first_of(queue), origin_of(queue).sub); }

const PipeQueue* standing_set(const Core& core) {
    for (const PipeQueue& queue : core.queues)
        if (!queue.empty() && effect_of_first(core, queue).signals == Meet::cross) return &queue;
    return nullptr;
}

int drain_while_blocked(Core& core) {
    if (const int ran = core.launch->schedule->drain(core)) return ran;
    if (core.asked.give_up) {
        if (standing_set(core)) core.fail(cross_flag_overflow(core));
        for (const PipeQueue& queue : core.queues) {
            if (queue.empty() || effect_of_first(core, queue).signals != Meet::flag) continue;
            core.origin = origin_of(queue);
            core.pc = first_of(queue).where;
            core.op = first_of(queue).op;
            fail_set_twice(core, reinterpret_cast<const Flag&>(first_of(queue)));
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
