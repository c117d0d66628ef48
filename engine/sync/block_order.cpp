// SPDX-License-Identifier: Apache-2.0
// AIVs one after the other (WaitPreBlock, NotifyNextBlock), and one group of them behind another (GroupBarrier). On hardware both poll
// words of their workspace; nothing tells a kernel what is in them, so the counts are the launch's here, and the workspace need not be
// cleared.
#include <algorithm>

#include "core/issue.h"
#include "isa/move.h"
#include "sync/gm_sync.h"

namespace aclimb {
namespace {

constexpr uint64_t kGroupBytes = 512; // of each waiting AIV

int64_t cores_of(const Core& core) { return core.block_num * core.task_ratio; }

// The documented size of the workspace, checked before the launch is locked.
const GmSync& arrive(Core& core, Head& head, const char* call, uint64_t bytes) {
    const auto& sync = reinterpret_cast<const GmSync&>(head);
    require_idle(core, call);
    core.write(sync.gm, bytes, 0);
    flush_stores();
    return sync;
}

Launch::Group& group_at(Launch& launch, const GmSync& sync) {
    Launch::Group& group = launch.groups[sync.gm.addr];
    group.arrived.resize(std::max<size_t>(group.arrived.size(), static_cast<size_t>(sync.used_cores)));
    group.waited.resize(std::max<size_t>(group.waited.size(), static_cast<size_t>(sync.event_id)));
    return group;
}

} // namespace

bool is_turn_of(const Launch& launch, const Core& core, uint64_t workspace) {
    const auto turn = launch.turns.find(workspace);
    return turn != launch.turns.end() && turn->second % cores_of(core) == core.core_idx;
}

bool take_group(Launch& launch, uint64_t workspace, int32_t index) {
    Launch::Group& group = launch.groups[workspace];
    int64_t& waited = group.waited[static_cast<size_t>(index)];
    if (!std::all_of(group.arrived.begin(), group.arrived.end(), [&](int64_t arrived) { return arrived > waited; })) return false;
    ++waited;
    return true;
}

// Every core calls it; the first block begins the count, whose turn is then the first.
bool execute_pre_block_init(Core& core, Head& head) {
    const GmSync& sync = arrive(core, head, "InitDetermineComputeWorkspace", static_cast<uint64_t>(cores_of(core)) * kSlotBytes);
    std::unique_lock lock(core.launch->mutex);
    int64_t& turn = core.launch->turns[sync.gm.addr];
    if (core.core_idx == 0) turn = 0;
    wake_pollers(*core.launch);
    return true;
}

bool execute_pre_block_wait(Core& core, Head& head) {
    const GmSync& sync = arrive(core, head, "WaitPreBlock", static_cast<uint64_t>(cores_of(core)) * kSlotBytes);
    Launch& launch = *core.launch;
    std::unique_lock lock(launch.mutex);
    if (!launch.turns.count(sync.gm.addr)) {
        lock.unlock(); // no destructor runs
        core.fail_unsupported("WaitPreBlock needs InitDetermineComputeWorkspace with the same workspace before it, on every core.");
    }
    if (is_turn_of(launch, core, sync.gm.addr)) return true;
    core.wait = {Wait::gm_turn, 0, 0, 0, static_cast<int32_t>(cores_of(core)), sync.gm.addr};
    block_core(core, lock);
    return true;
}

bool execute_pre_block_notify(Core& core, Head& head) {
    const GmSync& sync = arrive(core, head, "NotifyNextBlock", static_cast<uint64_t>(cores_of(core)) * kSlotBytes);
    Launch& launch = *core.launch;
    std::unique_lock lock(launch.mutex);
    if (!is_turn_of(launch, core, sync.gm.addr)) {
        lock.unlock();
        core.fail_unsupported(
            "NotifyNextBlock by a core whose turn it is not: WaitPreBlock has to come before it, as often on every core.");
    }
    ++launch.turns[sync.gm.addr];
    wake_pollers(launch);
    return true;
}

bool execute_group_arrive(Core& core, Head& head) {
    const auto& given = reinterpret_cast<const GmSync&>(head);
    core.require_range("arriveIndex", given.block_idx, 0, given.used_cores - 1);
    const GmSync& sync = arrive(core, head, "GroupBarrier::Arrive", static_cast<uint64_t>(given.event_id) * kGroupBytes);
    core.require_aligned(sync.gm, kGroupBytes, 0);
    std::unique_lock lock(core.launch->mutex);
    ++group_at(*core.launch, sync).arrived[static_cast<size_t>(sync.block_idx)];
    wake_pollers(*core.launch);
    return true;
}

bool execute_group_wait(Core& core, Head& head) {
    const auto& given = reinterpret_cast<const GmSync&>(head);
    core.require_range("waitIndex", given.block_idx, 0, given.event_id - 1);
    const GmSync& sync = arrive(core, head, "GroupBarrier::Wait", static_cast<uint64_t>(given.event_id) * kGroupBytes);
    core.require_aligned(sync.gm, kGroupBytes, 0);
    std::unique_lock lock(core.launch->mutex);
    group_at(*core.launch, sync);
    if (take_group(*core.launch, sync.gm.addr, sync.block_idx)) return true;
    core.wait = {Wait::gm_group, 0, 0, 0, sync.block_idx, sync.gm.addr};
    block_core(core, lock);
    return true;
}

} // namespace aclimb
