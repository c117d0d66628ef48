// SPDX-License-Identifier: Apache-2.0
// Fused kernels: plans are walked, early start takes effect, schedules end.
#include <atomic>

#include "check.h"
#include "core/interleaving.h"
#include "core/plan.h"
#include "core/priorities.h"
#include "run.h"

using namespace aclimb;

namespace {

std::atomic<int> order_broken, calls;
std::atomic<int> done[4]; // by sub-kernel: how many cores have ended it

void early(Op op, Pipe pipe) {
    EarlyStart record{};
    record.head = {op, pipe, Dtype::none, sizeof record, Dtype::none, 0, nullptr};
    core()->issue(core(), &record.head);
}

template <int index> void plain(const void*) {
    if (index && done[index - 1] != core()->block_num) order_broken++;
    calls++;
    done[index]++;
}
template <int index> void waits(const void*) {
    early(Op::pre_task_end, Pipe::S);
    plain<index>(nullptr);
}
template <int index> void sets(const void*) {
    plain<index>(nullptr);
    early(Op::next_task_start, Pipe::MTE3);
}
void sets_unless_1(const void*) {
    if (core()->block_idx != 1) early(Op::next_task_start, Pipe::MTE3);
}
void sets_twice(const void*) {
    early(Op::next_task_start, Pipe::MTE3);
    early(Op::next_task_start, Pipe::MTE3);
}

SubKernel member(Entry entry, int64_t blocks, bool sets = false, bool waits = false) {
    SubKernel sub;
    sub.kernel = std::make_shared<Kernel>();
    sub.kernel->name = "member";
    sub.kernel->type = KernelType::AIV_ONLY;
    sub.kernel->aiv_entry = entry;
    sub.num_blocks = blocks;
    sub.sets = sub.calls_set = sets;
    sub.waits = sub.calls_wait = waits;
    return sub;
}

PlanStep step(PlanStep::Kind kind, int32_t sub, PlanStep::Who who = PlanStep::all) {
    PlanStep made;
    made.kind = kind;
    made.sub = sub;
    made.who = who;
    made.pipe = kind == PlanStep::set ? Pipe::MTE3 : Pipe::S;
    made.flag = 14;
    return made;
}

constexpr int kModes[] = {0, 1, 2, 3, 4, 5, 6, 7}; // 0: as issued; up to 3: of a seed; then by priority
std::shared_ptr<Schedule> schedule_of(int mode, uint64_t seed) {
    if (mode <= 3) return std::make_shared<Interleaving>(static_cast<Interleaving::Mode>(mode), seed);
    const auto kind = mode == 4   ? PriorityRules::chance
                      : mode == 5 ? PriorityRules::late
                      : mode == 6 ? PriorityRules::early
                                  : PriorityRules::reverse;
    return std::make_shared<Priorities>(PriorityRules{kind, Pipe::MTE3, {}, seed, {seed, seed + 9}});
}

std::string run_chain(std::vector<SubKernel> subs, int64_t blocks, int mode = 0, uint64_t seed = 1, bool has_early_start = true) {
    Run run;
    run.device->chip.early_start = has_early_start;
    auto kernel = std::make_shared<Kernel>();
    kernel->name = "fused";
    kernel->type = KernelType::MIX_AIV_1_0;
    kernel->plan = std::make_shared<Plan>();
    auto& steps = kernel->plan->steps[1];
    for (int32_t i = 0; i < static_cast<int32_t>(subs.size()); i++) {
        if (i) {
            steps.push_back(step(PlanStep::set, i - 1, subs[i - 1].sets ? PlanStep::idle : PlanStep::all));
            steps.push_back(step(PlanStep::wait, i, subs[i].waits ? PlanStep::idle : PlanStep::all));
            if (subs[i].waits) subs[i].inner_wait[1] = {step(PlanStep::wait, i)};
        }
        steps.push_back(step(PlanStep::call, i));
    }
    kernel->plan->subs = std::move(subs);
    order_broken = calls = 0;
    for (auto& each : done) each = 0;
    if (mode) run.stream->schedule = schedule_of(mode, seed);
    Launch& task = run.stream->begin();
    task.kernel = kernel;
    task.num_blocks = blocks;
    task.tiling_key = 0;
    task.system_workspace = nullptr;
    task.args.assign(1, 0);
    task.args_bytes = 8;
    run.stream->post(task);
    return run.wait();
}

} // namespace

TEST(a_plan_runs_its_kernels_in_order_on_all_cores) {
    CHECK(run_chain({member(plain<0>, 8), member(plain<1>, 8), member(plain<2>, 8)}, 8) == "");
    CHECK(calls == 24 && order_broken == 0);
}

TEST(idle_cores_skip_a_kernel_and_take_part_in_what_follows) {
    CHECK(run_chain({member(plain<0>, 3), member(plain<2>, 48)}, 48) == "");
    CHECK(calls == 51);
}

TEST(early_start_keeps_the_order_under_every_schedule) {
    for (int mode : kModes)
        for (uint64_t seed = 1; seed < 40; seed++) {
            CHECK(run_chain({member(sets<0>, 5, true), member(waits<1>, 5, false, true)}, 7, mode, seed) == "");
            CHECK(calls == 10 && order_broken == 0);
        }
}

TEST(a_missing_and_a_second_set_end_at_once) {
    for (int mode : kModes) {
        CHECK(run_chain({member(sets_unless_1, 3, true), member(plain<3>, 3)}, 3, mode) == "early_start_count");
        CHECK(run_chain({member(sets_twice, 3, true), member(plain<3>, 3)}, 3, mode) == "early_start_count");
    }
}

TEST(a_product_without_early_start_runs_the_same_plan) {
    CHECK(run_chain({member(sets<0>, 5, true), member(waits<1>, 5, false, true)}, 7, 0, 1, false) == "");
    CHECK(calls == 10 && order_broken == 0);
}

TEST(a_captured_launch_is_kept_and_not_run) {
    Run run;
    calls = 0;
    run.stream->capture = std::make_shared<Capture>();
    run.launch(plain<0>, 4);
    CHECK(run.wait() == "" && calls == 0);
    CHECK(run.stream->capture->launches.size() == 1 && run.stream->capture->launches[0].num_blocks == 4);
    run.stream->capture.reset();
    run.launch(plain<0>, 4);
    CHECK(run.wait() == "" && calls == 4);
}
