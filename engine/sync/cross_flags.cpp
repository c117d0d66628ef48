// SPDX-License-Identifier: Apache-2.0
// CrossCoreSetFlag, CrossCoreWaitFlag and hard SyncAll, which is made of them.
#include "core/issue.h"
#include "core/launch.h"
#include "isa/control.h"
#include "isa/move.h"

namespace aclimb {
namespace {

void require_armed(Core& core, const CrossFlag& flag) {
    if (ACLIMB_LIKELY(has_cross_core(core.launch->kernel->type))) return;
    core.fail(core.make_fault("cross_core_not_armed")
                  .text("call", flag.sync_all ? "SyncAll" : api_of(core.op))
                  .text("type", core.launch->kernel->type == KernelType::AIV_ONLY ? "AIV_ONLY" : "AIC_ONLY"));
}

} // namespace

bool execute_cross_set(Core& core, Head& head) {
    const auto& flag = reinterpret_cast<CrossFlag&>(head);
    require_armed(core, flag);
    flush_stores(); // what this core wrote is visible before the flag is
    Launch& launch = *core.launch;
    std::unique_lock lock(launch.mutex);
    static thread_local std::vector<int32_t> raised;
    raised.clear();
    if (!launch.cross.set(core.unit, flag.mode, flag.id, core.pc, raised)) {
        lock.unlock();
        core.fail(core.make_fault("cross_flag_overflow").number("id", flag.id).number("limit", kCrossLimit));
    }
    for (int32_t unit : raised)
        for (Core* waiting : launch.waiting)
            if (waiting->unit == unit && waiting->wait.kind == Wait::cross_flag && waiting->wait.id == flag.id &&
                launch.cross.take(unit, flag.id)) {
                wake_core(*waiting);
                break;
            }
    return true;
}

bool execute_cross_wait(Core& core, Head& head) {
    const auto& flag = reinterpret_cast<CrossFlag&>(head);
    require_armed(core, flag);
    Launch& launch = *core.launch;
    std::unique_lock lock(launch.mutex);
    if (launch.cross.take(core.unit, flag.id)) return true;
    core.wait = {Wait::cross_flag, flag.id, flag.sync_all, 0, 0, 0};
    block_core(core, lock);
    return true;
}

} // namespace aclimb
