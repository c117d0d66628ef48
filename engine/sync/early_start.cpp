// SPDX-License-Identifier: Apache-2.0
// SetNextTaskStart and WaitPreTaskEnd. Outside a SuperKernel they have no effect; they are counted, because each core must
// call them exactly once. Inside one they are the two halves of the synchronisation with the neighbours: the set takes its place in
// the queue of its pipe and says that everything before it there is done; the wait stops the scalar unit.
#include "aclimb/op.h"
#include "core/launch.h"
#include "core/plan.h"

namespace aclimb {

bool execute_cross_set(Core& core, Head& head);

bool execute_next_task_start(Core& core, Head& head) {
    if (ACLIMB_LIKELY(!core.fused)) {
        if (core.early_set < 255) core.early_set++;
        return true;
    }
    const Effect effect = effect_of(core, head);
    if (effect.signals == Meet::nothing) return true;
    CrossFlag flag{};
    flag.head = {Op::cross_set, head.pipe, Dtype::none, sizeof flag, Dtype::none, 0, nullptr};
    flag.id = effect.id;
    flag.sync_all = 2;
    return execute_cross_set(core, flag.head); // not issued: it has its place in the queue already
}

bool execute_pre_task_end(Core& core, Head&) {
    if (ACLIMB_LIKELY(!core.fused)) {
        if (core.early_wait < 255) core.early_wait++;
        return true;
    }
    if (!has_early_start(core)) return true;
    const auto& sub = core.launch->kernel->plan->subs[static_cast<size_t>(core.origin.sub)];
    if (!sub.waits) return true;
    if (core.core_type == CoreType::AIV) {
        std::lock_guard lock(core.launch->mutex); // its AIC may look
        core.fused->waited_in = core.origin.sub;
    }
    for (const PlanStep& step : sub.inner_wait[kind_index(core.core_type)]) {
        CrossFlag flag{};
        const bool is_set = step.kind == PlanStep::set;
        flag.head = {is_set ? Op::cross_set : Op::cross_wait, step.pipe, Dtype::none, sizeof flag, Dtype::none, 0, nullptr};
        flag.mode = step.mode;
        flag.id = step.flag;
        flag.sync_all = 2;
        core.issue(&core, &flag.head);
    }
    return true;
}

bool execute_sub_kernel(Core&, Head&) { return true; } // a mark for whoever reads along

} // namespace aclimb
