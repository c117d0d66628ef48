// SPDX-License-Identifier: Apache-2.0
#include "core/start.h"

#include "core/fiber.h"
#include "core/issue.h"
#include "core/plan.h"
#include "core/schedule.h"
#include "core/worker.h"

namespace aclimb {

void place_unit(const Launch& launch, int32_t unit, CoreType& type, int64_t& block, int32_t& sub) {
    const int aics = aics_per_block(launch.kernel->type), per_block = aics + aivs_per_block(launch.kernel->type);
    block = unit / per_block;
    const int within = unit % per_block;
    type = within < aics ? CoreType::AIC : CoreType::AIV;
    sub = within < aics ? 0 : within - aics;
}

void start_core(Launch& launch, Core& core, int32_t unit, int64_t block, int32_t sub) {
    const int ratio = core.core_type == CoreType::AIV ? aivs_per_block(launch.kernel->type) : 1;
    core.issue = launch.observers.empty() && !launch.lax ? issue : issue_observed;
    core.attempt = nullptr;
    core.launch = &launch;
    core.unit = unit;
    const int aics = aics_per_block(launch.kernel->type), per_block = aics + aivs_per_block(launch.kernel->type);
    core.first_unit = unit / per_block * per_block;
    core.first_aiv = core.first_unit + aics;
    core.raw_block_idx = block;
    core.block_idx = block * ratio + sub;
    core.core_idx = static_cast<int32_t>(core.block_idx);
    core.block_num = launch.num_blocks;
    core.sub_block_idx = sub;
    core.sub_block_num = core.task_ratio = ratio;
    core.tiling_key = launch.tiling_key;
    core.system_workspace = launch.system_workspace;
    core.in_superkernel = 0;
    core.product_has_early_start = launch.chip->early_start;
    core.mixed = aics_per_block(launch.kernel->type) && aivs_per_block(launch.kernel->type);
    core.mask[0] = core.mask[1] = ~uint64_t{0};
    core.mask_counted = 0;
    core.ctrl = 0;
    core.atomic_op = AtomicOp::none;
    core.atomic_dtype = Dtype::none;
    core.early_set = core.early_wait = 0;
    core.deq_scale = core.pad_value = 0;
    core.pad_value_set = 0;
    memset(core.nz2nd, 0, sizeof core.nz2nd);
    core.load_3d = {};
    core.load_3d.repeat_time = 1;
    core.fix_quant = {};
    core.reduce_sum = core.reduce_value = core.reduce_index = 0;
    core.cmp_mask[0] = core.cmp_mask[1] = 0;
    core.gathered = core.merged = 0;
    core.tpipe = nullptr;
    core.caller = nullptr;
    core.scalar_work = 0;
    core.global = launch.spans.data();
    core.global_count = static_cast<uint32_t>(launch.spans.size());
    core.local_bytes = core.memory->size[static_cast<int>(Memory::UB)];
    core.slot_count = 0;
    memset(core.event_used, 0, sizeof core.event_used);
    memset(core.next_free, 0, sizeof core.next_free);
    memset(core.flags, 0, sizeof core.flags);
    core.pending = core.wake = 0;
    core.draining = false;
    core.polls = 0;
    for (int i = 0; i < kRankGroups; i++) core.hccl_context[i] = launch.ranks[i] ? launch.ranks[i]->context : 0;
    core.pc = nullptr;
    core.op = kNoOp;
    core.window = {};
    core.beyond.clear();
    core.wait = {};
    core.output = &launch.output[unit];
    core.origin = {};
    core.scheduled = launch.schedule != nullptr;
    if (ACLIMB_UNLIKELY(core.scheduled)) launch.schedule->begins(core);
    core.asked = {};
    core.modes = {};
    if (ACLIMB_UNLIKELY(launch.kernel->plan != nullptr)) start_fused(core, block, sub);
}

// Flags left set leak into the next kernel on hardware.
void check_flags(Core& core, const char* at) {
    core.pc = nullptr;
    core.op = kNoOp;
    if (ACLIMB_UNLIKELY(core.pending)) core.fail(hang_in_core(core, at));
    for (int src = 0; src < kPipes; src++) {
        uint64_t row;
        memcpy(&row, core.flags[src], sizeof row);
        if (ACLIMB_LIKELY(!row)) continue;
        for (int dst = 0; dst < kPipes; dst++)
            if (core.flags[src][dst]) {
                const int id = __builtin_ctz(core.flags[src][dst]);
                core.pc = core.flag_site[src][dst][id];
                core.refuse(core.make_fault("flag_left")
                                .text("flag", std::string(name_of(static_cast<Pipe>(src))) + "_" + name_of(static_cast<Pipe>(dst)))
                                .number("id", id));
            }
    }
}

namespace {

__attribute__((noinline)) void run_kernel() {
    auto& core = *static_cast<Core*>(aclimb::core());
    Launch& launch = *core.launch;
    if (ACLIMB_UNLIKELY(core.fused != nullptr)) run_plan(core);
    else (core.core_type == CoreType::AIC ? launch.kernel->aic_entry : launch.kernel->aiv_entry)(launch.args.data());
}

} // namespace

// Behind the kernel it asks anew who it is: what is left in registers and on the stack is not to be trusted. As many calls as returns
// before the switch, or the CPU guesses every return of the scheduler wrong.
void core_main() {
    run_kernel();
    clean_flags(); // an alignment check is not for the engine's own code
    Core& core = *this_worker()->current;
    if (ACLIMB_UNLIKELY(core.scheduled)) end_scheduled(core);
    check_flags(core, "the end of the kernel");
    for (const auto& each : core.launch->observers) each->left(core);
    core.state = CoreState::done;
    void* never;
    aclimb_switch(&never, core.worker->scheduler_sp);
    __builtin_unreachable();
}

} // namespace aclimb
