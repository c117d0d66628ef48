// SPDX-License-Identifier: Apache-2.0
// The instructions of Hccl: a core tells the communication server of its group what to move, and asks how far it is.
#include <algorithm>

#include "core/launch.h"
#include "core/rank_watch.h"
#include "hccl/hccl_types.h"
#include "kernel_tiling/hccl_tilings.h"
#include "ranks/hccl_server.h"

namespace aclimb {
namespace {

constexpr int64_t kFailed = -1; // what Wait, Query and the tasks answer on a chip

HcclTask& task_of(Head& head) { return reinterpret_cast<HcclTask&>(head); }

Fault told_wrong(Core& core, std::string sentence, const char* advice) {
    Fault fault = core.make_fault("hccl_misuse");
    fault.text("sentence", std::move(sentence)).text("text", advice);
    return fault;
}

std::string command_name(uint32_t command) {
    switch (command) {
    case HCCL_CMD_ALLREDUCE: return "AllReduce";
    case HCCL_CMD_ALLGATHER: return "AllGather";
    case HCCL_CMD_REDUCE_SCATTER: return "ReduceScatter";
    case HCCL_CMD_ALLTOALLV: return "AlltoAllV";
    case HCCL_CMD_ALLTOALL: return "AlltoAll";
    default: return "command " + std::to_string(command);
    }
}

// The side of this launch in the group that InitV2 found.
struct Side {
    HcclServer& server;
    int32_t rank;
    uint64_t meeting;
};
Side side_of(Core& core, const HcclTask& task) {
    const uint64_t meeting = core.launch->meeting(task.group, core.origin.sub);
    if (!meeting)
        core.fail(told_wrong(core, "the Hccl object was not initialised", "hccl.InitV2(GetHcclContext<0>(), &tilingData) comes first"));
    const Rank& rank = *core.launch->ranks[task.group];
    return {rank.group->server(), rank.index, meeting};
}

Place global(uint64_t addr) { return {addr, 0, 0, kNoSlot, 0}; }

// All that a task will touch of a buffer, which is the kernel's to give.
uint64_t span_of(const HcclRows& rows, const Collective& task) {
    return static_cast<uint64_t>(rows.stride) * (rows.count - 1) + rows.length + task.step() * static_cast<uint64_t>(task.repeat - 1);
}

Collective read_task(Core& core, const HcclTask& task, CollectiveKind kind, int32_t ranks) {
    Collective made;
    made.kind = kind;
    made.type = task.type;
    made.reduce = task.reduce;
    made.repeat = task.repeat;
    made.skips_own = task.skips_own && !core.launch->chip->early_start; // Atlas A3 does not look at it
    made.ranks = ranks;
    made.count = task.count;
    made.stride = task.stride;
    made.send = task.send.addr;
    made.recv = task.recv.addr;
    if (task.lists) made.lists.assign(task.lists, task.lists + 4 * ranks);
    return made;
}

// What is wrong with a task by itself; null: nothing.
const char* mistake_in(const HcclTask& task, CollectiveKind kind, int32_t ranks) {
    constexpr uint64_t kMost = uint64_t{1} << 40; // elements: more than any device has, and no sum of bytes overflows
    if (!bytes_of_hccl_type(task.type)) return " with a dataType that is none of HcclDataType";
    if (reduces(kind) && !can_reduce(task.type, task.reduce))
        return " takes sum, maximum and minimum, of INT8, INT16, INT32, FP16, FP32 and BFP16";
    if (!task.repeat) return " with a repeat of 0; it takes 1 and more";
    if (kind == CollectiveKind::all_to_all_v) {
        if (std::any_of(task.lists, task.lists + 4 * ranks, [](uint64_t each) { return each > kMost; }))
            return " with a number in its lists that is more than a device has";
        return task.recv_type == task.type ? nullptr : " receives another type than it sends";
    }
    if (!task.count || task.count > kMost || task.stride > kMost) return " of no elements, or of more than a device has";
    return task.stride && task.stride < task.count ? " with a strideCount less than the number of elements: the blocks overlap" : nullptr;
}

bool prepare(Core& core, Head& head, CollectiveKind kind) {
    HcclTask& task = task_of(head);
    const Side side = side_of(core, task);
    const std::string_view name = name_of(kind);
    if (kind == CollectiveKind::all_to_all_v && !core.launch->chip->early_start)
        core.fail_unsupported("AlltoAllV is not on Atlas A2; AlltoAll is, with as much for every rank");
    if (task.handle >= kMostHcclTasks)
        core.fail(told_wrong(core, "an Hccl object takes 63 tasks at most",
                             "prepare one with more rounds (repeat), or call it in another launch"));
    if (const char* mistake = mistake_in(task, kind, side.server.size()))
        core.fail(told_wrong(core, std::string(name) + mistake, "on a chip the call answers -1, and no task is there"));
    if (task.command != task.expected)
        core.fail(told_wrong(core,
                             task.command ? "the Mc2CcTiling in use is one of " + command_name(task.command) : "no Mc2CcTiling is in use",
                             "hccl.SetCcTilingV2(offsetof(TilingData, ...)) of this operation comes before it"));
    Collective made = read_task(core, task, kind, side.server.size());
    const HcclRows send = made.send_rows(), recv = made.recv_rows();
    task.value = made.step();
    task.send_rows = send;
    task.recv_rows = recv;
    // Strict ends here where it ends anywhere; as lax as hardware, a core may read pages that nobody has mapped, the server may not.
    if (send.length && core.read(global(send.addr), span_of(send, made), 0) != reinterpret_cast<const uint8_t*>(send.addr))
        core.fail(told_wrong(core, std::string(name) + " sends more than its buffer has", "make sendBuf longer, or the count smaller"));
    if (recv.length) core.write(global(recv.addr), span_of(recv, made), 1);
    const HcclServer::Speaker here{core.unit, reinterpret_cast<uint64_t>(core.pc)};
    std::string wrong = side.server.prepare(side.meeting, side.rank, task.handle, here, std::move(made));
    if (!wrong.empty()) core.fail(told_wrong(core, std::move(wrong), "each launch has one Hccl object for each context, on one core"));
    return true;
}

Fault hang(Core& core, std::string task, std::vector<std::string> missing) {
    auto fault = core.make_fault("hccl_hang");
    fault.text("what", std::move(task));
    for (auto& each : missing) fault.text("wait", std::move(each));
    return fault;
}

// Lets others run. It ends the core when that has not helped for as long as the group is patient.
void stand(Core& core, const Side& side, std::string task) {
    if (!core.launch->rank_watch->stands(core)) return;
    Fault fault = hang(core, std::move(task), side.server.missing(side.meeting, side.rank));
    core.fail(std::move(fault.number("limit_ms", static_cast<int64_t>(core.launch->rank_watch->patience_ns() / 1'000'000))));
}

[[noreturn]] void fail_apart(Core& core, const std::string& broken) {
    core.fail(told_wrong(core, "the ranks do not agree: " + broken, "all ranks prepare the same tasks in the same order"));
}

// Until `round` rounds of the task are done.
void wait_for(Core& core, const Side& side, int32_t handle, int32_t round) {
    for (;;) {
        HcclServer::Answer answer = side.server.ask(side.meeting, side.rank, handle);
        if (answer.rounds >= round) return;
        if (!answer.broken.empty()) fail_apart(core, answer.broken);
        if (!answer.never.empty()) core.fail(hang(core, std::move(answer.name), {std::move(answer.never)}));
        const bool speaks = side.server.left_open(side.meeting, side.rank).unit == core.unit;
        if (speaks && answer.committed < round)
            core.fail(told_wrong(core,
                                 "a wait for round " + std::to_string(round) + " of " + answer.name + ", of which " +
                                     std::to_string(std::max(answer.committed, 0)) + " are committed",
                                 "Commit each round before it is waited for"));
        stand(core, side, std::move(answer.name));
    }
}

bool is_handle(Core& core, HcclTask& task) {
    if (task.handle >= 0 && task.handle < kMostHcclTasks) return true;
    task.value = static_cast<uint64_t>(kFailed);
    core.refuse(
        told_wrong(core, "handle " + std::to_string(task.handle) + " is none of a task", "take what AllReduce, AllGather, ... returned"));
    return false;
}

} // namespace

bool execute_hccl_init(Core& core, Head& head) {
    HcclTask& task = task_of(head);
    Launch& launch = *core.launch;
    for (int i = 0; i < kRankGroups; i++) {
        if (!launch.ranks[i] || launch.ranks[i]->context != task.value) continue;
        HcclServer& server = launch.ranks[i]->group->server();
        if (!launch.meeting(i, core.origin.sub))
            launch.meetings.push_back({i, core.origin.sub, server.enter(launch.ranks[i]->index, launch.kernel->name)});
        task.group = static_cast<uint8_t>(i);
        task.value = static_cast<uint64_t>(server.size());
        task.round = static_cast<uint64_t>(launch.ranks[i]->index);
        if (task.count == kMc2Made) return true;
        core.fail(told_wrong(core, "the Mc2InitTiling was not filled",
                             "on the host: Mc2CcTilingConfig config(group, opType, algConfig); config.GetTiling(tiling->mc2InitTiling)"));
    }
    core.fail(told_wrong(core, "the context is none of this device's groups", "hand InitV2 what GetHcclContext<0>() returns"));
}

bool execute_hccl_tiling(Core& core, Head& head) {
    const HcclTask& task = task_of(head);
    if (!task.value)
        core.fail(told_wrong(core, "there is no Mc2InitTiling to count from", "SetCcTilingV2 comes behind InitV2(context, &tilingData)"));
    if (task.count != kMc2Made)
        core.fail(told_wrong(core, "there is no Mc2CcTiling at that place, or it was not filled",
                             "offsetof(TilingData, mc2CcTiling) here, config.GetTiling(tiling->mc2CcTiling) on the host"));
    return true;
}

bool execute_hccl_all_reduce(Core& core, Head& head) { return prepare(core, head, CollectiveKind::all_reduce); }
bool execute_hccl_all_gather(Core& core, Head& head) { return prepare(core, head, CollectiveKind::all_gather); }
bool execute_hccl_reduce_scatter(Core& core, Head& head) { return prepare(core, head, CollectiveKind::reduce_scatter); }
bool execute_hccl_all_to_all(Core& core, Head& head) { return prepare(core, head, CollectiveKind::all_to_all); }
bool execute_hccl_all_to_all_v(Core& core, Head& head) { return prepare(core, head, CollectiveKind::all_to_all_v); }

bool execute_hccl_commit(Datapath& path, Head& head) {
    Core& core = core_of(path);
    const HcclTask& task = task_of(head);
    const Side side = side_of(core, task);
    std::string wrong = side.server.commit(side.meeting, side.rank, task.handle);
    if (!wrong.empty()) core.refuse(told_wrong(core, std::move(wrong), "Commit a task as often as its repeat says"));
    return true;
}

bool execute_hccl_wait(Core& core, Head& head) {
    HcclTask& task = task_of(head);
    const Side side = side_of(core, task);
    if (is_handle(core, task)) wait_for(core, side, task.handle, static_cast<int32_t>(task.round));
    return true;
}

bool execute_hccl_query(Core& core, Head& head) {
    HcclTask& task = task_of(head);
    const Side side = side_of(core, task);
    if (!is_handle(core, task)) return true;
    HcclServer::Answer answer = side.server.ask(side.meeting, side.rank, task.handle);
    if (!answer.broken.empty()) fail_apart(core, answer.broken);
    if (answer.rounds < answer.committed && !answer.never.empty()) core.fail(hang(core, std::move(answer.name), {std::move(answer.never)}));
    if (!answer.done) stand(core, side, std::move(answer.name)); // a kernel may ask again and again
    task.value = static_cast<uint64_t>(answer.rounds);
    return true;
}

bool execute_hccl_finalize(Core& core, Head& head) {
    const HcclTask& task = task_of(head);
    const Side side = side_of(core, task);
    std::string open = side.server.unfinished(side.meeting, side.rank);
    if (!open.empty())
        core.fail(told_wrong(core, open + " is not committed at Finalize", "Commit every round; on a chip Finalize waits for ever"));
    for (int32_t handle = 0;; handle++) {
        const HcclServer::Answer answer = side.server.ask(side.meeting, side.rank, handle);
        if (answer.committed < 0) break;
        wait_for(core, side, handle, answer.committed);
    }
    side.server.finalize(side.meeting, side.rank);
    return true;
}

// value: in the rank, out the address of its window; 0: there is no such rank.
bool execute_hccl_window(Core& core, Head& head) {
    HcclTask& task = task_of(head);
    side_of(core, task);
    task.value =
        core.launch->ranks[task.group]->group->window_named(static_cast<int64_t>(task.value), task.window_out ? "windowsOut" : "windowsIn");
    return true;
}

void check_hccl(Launch& launch) {
    for (const RankMeeting& each : launch.meetings) {
        const Rank& rank = *launch.ranks[each.group];
        const HcclServer::Speaker open = rank.group->server().left_open(each.number, rank.index);
        if (open.unit < 0 || launch.fault) continue;
        Fault made;
        made.kind = "hccl_misuse";
        made.sub = each.sub;
        made.pc = open.pc;
        made.text("sentence", "the kernel ends without Finalize of its Hccl object")
            .text("text", "hccl.Finalize() on the core that prepares tasks: on a chip the server goes on waiting for the next one");
        launch.refuse_at_end(std::move(made), open.unit);
    }
}

} // namespace aclimb
