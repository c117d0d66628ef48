// SPDX-License-Identifier: Apache-2.0
// CrossCoreSetFlag, CrossCoreWaitFlag and hard SyncAll, which is made of them.
#include "core/issue.h"
#include "core/launch.h"
#include "core/plan.h"
#include "isa/move.h"

namespace aclimb {
namespace {

void require_armed(Core& core, const CrossFlag& flag) {
    if (ACLIMB_LIKELY(has_cross_core(core.launch->kernel->type))) return;
    if (core.goes_on()) return;
    core.refuse(core.make_fault("cross_core_not_armed")
                    .text("call", flag.sync_all ? "SyncAll" : api_of(core.op))
                    .text("type", core.launch->kernel->type == KernelType::AIV_ONLY ? "AIV_ONLY" : "AIC_ONLY"));
}

constexpr uint8_t kPlan = 2; // CrossFlag::sync_all of what stands between sub-kernels

// In a fused kernel the flags 11 to 14 belong to what stands between the sub-kernels, and to SyncAll.
void require_own_flag(Core& core, const CrossFlag& flag) {
    if (flag.sync_all || flag.id < 11 || flag.id > 14) return;
    core.fail(core.make_fault("reserved_cross_flag").number("id", flag.id));
}

// All cores of a kind that the fused kernel has are counted, so a sub-kernel on fewer of them waits for ever.
void require_everybody(Core& core, const CrossFlag& flag) {
    const SubKernel* sub = core.fused->sub;
    if (!sub || flag.mode != 0 || flag.sync_all == kPlan || (flag.sync_all && sub->feeds)) return;
    const Launch& launch = *core.launch;
    const auto& chosen = core.fused->chosen[static_cast<size_t>(core.origin.sub)];
    int64_t there = cores_of(*chosen.kernel, chosen.num_blocks, core.core_type);
    if (core.core_type == CoreType::AIV && !is_vector_only(chosen.kernel->type)) there = chosen.num_blocks * core.fused->home_ratio;
    const int64_t all = cores_of(*launch.kernel, launch.num_blocks, core.core_type);
    if (there >= all) return;
    core.fail(core.make_fault("sync_participants")
                  .text("call", flag.sync_all ? "SyncAll" : api_of(core.op))
                  .number("there", there)
                  .number("all", all)
                  .number("sync_all", flag.sync_all));
}

// The counter is at its limit and the core that takes from it has not come so far. On hardware it would be fast enough, or the set an
// error; here the set waits, as long as anybody is left who can take one. launch.mutex held, also on return.
void wait_for_room(Core& core, const CrossFlag& flag, std::unique_lock<std::mutex>& lock) {
    Launch& launch = *core.launch;
    if (launch.kernel->told.first_time(FaultKind::cross_flag_full, reinterpret_cast<uint64_t>(core.pc)))
        launch.notes.push_back(core.make_fault("cross_flag_full").number("id", flag.id).number("limit", kCrossLimit));
    core.wait = {Wait::cross_room, flag.id, flag.sync_all, 0, 0, 0};
    launch.setters_waiting++;
    block_core(core, lock);
    lock.lock();
    launch.setters_waiting--;
}

} // namespace

bool execute_cross_set(Core& core, Head& head) {
    const auto& flag = reinterpret_cast<CrossFlag&>(head);
    require_armed(core, flag);
    if (ACLIMB_UNLIKELY(core.fused != nullptr)) {
        require_own_flag(core, flag);
        require_everybody(core, flag);
        if (flag.sync_all == 1) sync_all_begins(core, flag, true);
    }
    flush_stores(); // what this core wrote is visible before the flag is
    Launch& launch = *core.launch;
    std::unique_lock lock(launch.mutex);
    static thread_local std::vector<int32_t> raised;
    raised.clear();
    while (ACLIMB_UNLIKELY(!launch.cross.set(core.unit, flag.mode, flag.id, core.pc, core.origin.sub, raised))) {
        if (core.scheduled && core.draining) return false; // its pipe stands; the others go on
        wait_for_room(core, flag, lock);
        raised.clear(); // other cores of this thread used it meanwhile
    }
    if (!raised.empty())
        wake_all(launch, [&](const Core& waiting) {
            return waiting.wait.kind == Wait::cross_flag && waiting.wait.id == flag.id && launch.cross.take(waiting.unit, flag.id);
        });
    return true;
}

bool execute_cross_wait(Core& core, Head& head) {
    const auto& flag = reinterpret_cast<CrossFlag&>(head);
    require_armed(core, flag);
    Launch& launch = *core.launch;
    if (ACLIMB_UNLIKELY(core.fused != nullptr)) {
        require_own_flag(core, flag);
        if (flag.sync_all == 1) sync_all_begins(core, flag, false);
    }
    std::unique_lock lock(launch.mutex);
    if (launch.cross.take(core.unit, flag.id)) {
        if (ACLIMB_UNLIKELY(launch.setters_waiting))
            wake_all(launch, [](const Core& each) { return each.wait.kind == Wait::cross_room; }); // pipes of one core may stand at several
        // Float atomics add up in block order, also behind a barrier: who came last lets the others go first.
        if (ACLIMB_UNLIKELY(core.fused != nullptr) && launch.kernel->in_block_order) {
            lock.unlock();
            yield_core(core);
        }
        return true;
    }
    core.wait = {Wait::cross_flag, flag.id, flag.sync_all, 0, 0, 0};
    block_core(core, lock);
    return true;
}

} // namespace aclimb
