// SPDX-License-Identifier: Apache-2.0
// A core of a fused kernel, from step to step. Sub-kernels run unmodified: what differs inside a SuperKernel is asked of the core's
// context. Everything between them is issued as ordinary instructions, so that whoever reads the stream sees it.
#include "aclimb/op.h"
#include "core/fiber.h"
#include "core/fused_rules.h"
#include "core/issue.h"
#include "core/launch.h"
#include "core/plan.h"
#include "core/start.h"

namespace aclimb {
namespace {

template <class Record> void issue_record(Core& core, Record& record, Op op, Pipe pipe, Dtype dtype = Dtype::none) {
    record.head = {op, pipe, dtype, sizeof(Record), Dtype::none, 0, nullptr};
    core.issue(&core, &record.head);
}

void issue_flag(Core& core, const PlanStep& step) {
    CrossFlag flag{};
    flag.mode = step.mode;
    flag.id = step.flag;
    flag.sync_all = 2;
    issue_record(core, flag, step.kind == PlanStep::set ? Op::cross_set : Op::cross_wait, step.kind == PlanStep::set ? step.pipe : Pipe::S);
}

void issue_barrier(Core& core) {
    Flag flag{};
    flag.src = flag.dst = Pipe::ALL;
    issue_record(core, flag, Op::pipe_barrier, Pipe::ALL);
}

void issue_mark(Core& core, int32_t sub, bool end) {
    SubKernelMark mark{};
    mark.index = sub;
    mark.end = end;
    issue_record(core, mark, Op::sub_kernel, Pipe::S);
}

uint64_t load_gm(Core& core, uint64_t addr, Dtype type) {
    ScalarAccess access{};
    access.at = {addr, 0, 0, kNoSlot, static_cast<uint64_t>(Memory::GM)};
    access.way = ScalarWay::system;
    issue_record(core, access, Op::scalar_load, Pipe::S, type);
    return access.value;
}

void store_gm(Core& core, uint64_t addr, uint64_t value, Dtype type = Dtype::u64) {
    ScalarAccess access{};
    access.at = {addr, 0, 0, kNoSlot, static_cast<uint64_t>(Memory::GM)};
    access.way = ScalarWay::system;
    access.value = value;
    issue_record(core, access, Op::scalar_store, Pipe::S, type);
}

uint64_t argument(const Core& core, uint64_t at) { return core.launch->args[at / 8]; }

// The conditions of a value wait: at least, equal, any common bit, not all bits of the complement.
bool meets(uint64_t found, uint8_t condition, uint64_t value) {
    switch (condition) {
    case 0: return static_cast<int64_t>(found - value) >= 0;
    case 1: return found == value;
    case 2: return (found & value) != 0;
    default: return ~(found | value) != 0;
    }
}

void await_word(Core& core, uint64_t addr, uint8_t condition, uint64_t value) {
    while (!meets(load_gm(core, addr, Dtype::u64), condition, value)) {}
    core.polls = 0;
}

// --- dynamic sub-kernels

void read_tiling(Core& core, const Plan& plan, const PlanStep& step) {
    const SubKernel& sub = plan.subs[static_cast<size_t>(step.sub)];
    await_word(core, argument(core, sub.tiling_at + 16), 1, 1);
    const uint64_t key = load_gm(core, argument(core, sub.tiling_at), Dtype::u64);
    const auto blocks = static_cast<int64_t>(load_gm(core, argument(core, sub.tiling_at + 8), Dtype::u64));
    auto& chosen = core.fused->chosen[static_cast<size_t>(step.sub)];
    core.origin.sub = step.sub;
    chosen.kernel = nullptr;
    for (const auto& [each, kernel] : sub.by_key)
        if (each == key || (sub.by_key.size() == 1 && each == SubKernel::kNoKey)) chosen.kernel = kernel.get();
    if (!chosen.kernel) core.fail(core.make_fault("dynamic_key").number("key", static_cast<int64_t>(key)));
    chosen.tiling_key = key;
    chosen.num_blocks = blocks;
    const KernelType type = chosen.kernel->type;
    const Launch& launch = *core.launch;
    const int64_t most = is_vector_only(type) ? launch.num_blocks * aivs_per_block(launch.kernel->type) : launch.num_blocks;
    const bool fits = (!aics_per_block(type) || aics_per_block(launch.kernel->type)) &&
                      (!aivs_per_block(type) || aivs_per_block(launch.kernel->type) >= 1);
    if (blocks < 1 || blocks > most || !fits)
        core.fail(core.make_fault("dynamic_blocks").number("blocks", blocks).number("most", fits ? most : 0));
    core.origin.sub = -1;
}

// --- one sub-kernel

// What a kernel finds when it begins, as far as it is not the hardware's: indices, and the software state of TPipe. The mode
// registers stay as the sub-kernel before left them.
void enter(Core& core, const SubKernel& sub, const Fused::Chosen& chosen) {
    const KernelType type = chosen.kernel->type;
    const bool vector_only = is_vector_only(type), is_aiv = core.core_type == CoreType::AIV;
    core.block_num = chosen.num_blocks;
    core.block_idx = core.core_idx; // the physical index inside the fused kernel
    core.raw_block_idx = vector_only ? core.core_idx : core.fused->home_block;
    core.sub_block_idx = vector_only ? 0 : core.fused->home_sub;
    core.sub_block_num = core.task_ratio = is_aiv && !vector_only ? core.fused->home_ratio : 1;
    core.mixed = aics_per_block(type) && aivs_per_block(type);
    core.tiling_key = chosen.tiling_key;
    core.early_set = core.early_wait = 0;
    core.tpipe = nullptr;
    core.caller = nullptr;
    core.slot_count = 0;
    memset(core.event_used, 0, sizeof core.event_used);
    memset(core.next_free, 0, sizeof core.next_free);
    core.polls = 0;
    core.fused->copying = 0;
    core.fused->served_at = nullptr;
    core.fused->told.clear();
    core.fused->sub = &sub;
}

void issue_early(Core& core, Op op, Pipe pipe, const void* line) {
    EarlyStart record{};
    const void* caller = core.caller;
    core.caller = line;
    issue_record(core, record, op, pipe);
    core.caller = caller;
}

// An AIC that has left inside REGIST_MATMUL_OBJ has not come to the calls behind it. It waits and sets where its kernel ends, as between
// kernels that have no such calls. One that goes on, because the macro stands in a function, calls for itself.
void end_served(Core& core, const SubKernel& sub) {
    const void* line = core.fused->served_at;
    if (!line || !has_early_start(core)) return;
    if (owes_wait(core)) wait_in_its_place(core, line);
    if (sub.sets && !core.early_set) issue_early(core, Op::next_task_start, Pipe::FIX, line);
}

void leave(Core& core, const SubKernel& sub) {
    end_served(core, sub);
    core.pc = nullptr;
    core.op = kNoOp;
    if (!core.scheduled) check_flags(core, "the end of the sub-kernel");
    if (has_early_start(core)) {
        if (sub.sets && core.early_set != 1) fail_count(core, "SetNextTaskStart", core.early_set, nullptr);
        if (sub.waits && core.early_wait != 1) fail_count(core, "WaitPreTaskEnd", core.early_wait, nullptr);
    }
    core.fused->leaked = leaks(core);
    core.fused->sub = nullptr;
}

void call(Core& core, const Plan& plan, const PlanStep& step) {
    if (!takes_part(core, step.sub)) return;
    const SubKernel& sub = plan.subs[static_cast<size_t>(step.sub)];
    const auto& chosen = core.fused->chosen[static_cast<size_t>(step.sub)];
    core.origin = {step.sub, static_cast<uint8_t>(!sub.waits), 0, {}};
    enter(core, sub, chosen);
    issue_mark(core, step.sub, false);
    const Entry entry = core.core_type == CoreType::AIC ? chosen.kernel->aic_entry : chosen.kernel->aiv_entry;
    entry(reinterpret_cast<const uint8_t*>(core.launch->args.data()) + sub.args_offset);
    clean_flags(); // of the host's CPU: they are not what a sub-kernel leaves to the next
    use_usual_modes();
    leave(core, sub);
    issue_mark(core, step.sub, true);
    if (sub.feeds && core.core_idx == 0) {
        Launch& launch = *core.launch;
        std::unique_lock lock(launch.mutex);
        launch.feeds[static_cast<size_t>(step.sub)].ended[kind_index(core.core_type)] = true;
        wake_all(launch, [&](const Core& each) { return each.wait.kind == Wait::feed && each.core_type == core.core_type; });
    }
    core.origin = {};
}

// --- SyncAll with idle cores: core 0 of the sub-kernel counts, the idle ones do the same as often

void join_sync_all(Core& core, bool mixed) {
    issue_barrier(core);
    const bool aic = core.core_type == CoreType::AIC;
    auto flag = [&](bool is_set, Pipe pipe, uint8_t mode, uint8_t id) {
        PlanStep step;
        step.kind = is_set ? PlanStep::set : PlanStep::wait;
        step.pipe = pipe;
        step.mode = mode;
        step.flag = id;
        issue_flag(core, step);
    };
    const Pipe pipe = aic ? Pipe::FIX : Pipe::MTE3;
    if (mixed && aic) flag(false, Pipe::S, 0, kAivsToAic);
    if (!mixed || aic) {
        flag(true, pipe, 0, flag_of_all(core.core_type));
        flag(false, Pipe::S, 0, flag_of_all(core.core_type));
    }
    if (mixed && aic) flag(true, Pipe::FIX, 2, kAicToAivs);
    if (mixed && !aic) {
        flag(true, Pipe::MTE3, 2, kAivsToAic);
        flag(false, Pipe::S, 0, kAicToAivs);
    }
}

void feed(Core& core, const PlanStep& step) {
    if (takes_part(core, step.sub)) return;
    Launch& launch = *core.launch;
    const int kind = kind_index(core.core_type);
    for (uint32_t joined = 0;;) {
        bool mixed;
        {
            std::unique_lock lock(launch.mutex);
            const auto& state = launch.feeds[static_cast<size_t>(step.sub)];
            if (state.index[kind] == joined) {
                if (state.ended[kind]) return;
                core.wait = {Wait::feed, 0, 0, 0, 0, 0};
                block_core(core, lock);
                continue;
            }
            mixed = state.mixed[kind];
        }
        joined++;
        join_sync_all(core, mixed);
    }
}

// --- profiling records: 16 bytes, a word of the plan and the system counter

void profile(Core& core, const Plan& plan, const PlanStep& step) {
    const uint64_t buffer = argument(core, plan.profile_at);
    if (!buffer) return;
    const bool aic = core.core_type == CoreType::AIC;
    const auto index = static_cast<uint64_t>(core.core_idx + (aic ? 50 : 0));
    const uint64_t bytes = load_gm(core, buffer + 12, Dtype::u32), area = buffer + 64 + index * bytes;
    constexpr uint64_t kMagic = 0xbdca8756, kFirst = 32;
    if (bytes < kFirst + 16) return;
    uint64_t word = step.value;
    if (step.flag) { // the first one of the core
        store_gm(core, area, kMagic, Dtype::u32);
        store_gm(core, area + 16, area + bytes);
        store_gm(core, area + 8, area + kFirst);
        word = argument(core, plan.profile_at + 8) << 32 | index << 8 | 0xff;
    }
    const uint64_t to = load_gm(core, area + 8, Dtype::u64);
    if (to + 16 > load_gm(core, area + 16, Dtype::u64)) return; // full: what comes later is lost
    ScalarAccess now{};
    issue_record(core, now, Op::system_cycle, Pipe::S, Dtype::i64);
    store_gm(core, to, word);
    store_gm(core, to + 8, now.value);
    store_gm(core, area + 8, to + 16);
}

void run_step(Core& core, const Plan& plan, const PlanStep& step) {
    if (step.who == PlanStep::first && core.core_idx != 0) return;
    if (step.who == PlanStep::idle && has_early_start(core) && takes_part(core, step.sub)) return;
    switch (step.kind) {
    case PlanStep::call: return call(core, plan, step);
    case PlanStep::set:
    case PlanStep::wait: return issue_flag(core, step);
    case PlanStep::barrier: return issue_barrier(core);
    case PlanStep::notify:
        if (const uint64_t word = argument(core, step.at)) store_gm(core, word, step.value);
        return;
    case PlanStep::await:
        if (const uint64_t word = argument(core, step.at)) await_word(core, word, step.mode, step.value);
        return;
    case PlanStep::tiling: return read_tiling(core, plan, step);
    case PlanStep::feed: return feed(core, step);
    case PlanStep::profile: return profile(core, plan, step);
    case PlanStep::clean: {
        ScalarAccess all{};
        all.value = kDcciEntire;
        return issue_record(core, all, Op::dcci, Pipe::S);
    }
    }
}

} // namespace

bool owes_wait(const Core& core) {
    return core.fused && core.fused->sub && core.fused->sub->waits && core.core_type == CoreType::AIC && !core.early_wait &&
           has_early_start(core);
}
void wait_in_its_place(Core& core, const void* line) { issue_early(core, Op::pre_task_end, Pipe::S, line); }

bool is_vector_only(KernelType type) { return !aics_per_block(type); }

int64_t cores_of(const Kernel& kernel, int64_t num_blocks, CoreType type) {
    return num_blocks * (type == CoreType::AIC ? aics_per_block(kernel.type) : aivs_per_block(kernel.type));
}

bool has_early_start(const Core& core) { return core.fused && core.product_has_early_start; }

bool takes_part(const Core& core, int32_t sub) {
    const auto& chosen = core.fused->chosen[static_cast<size_t>(sub)];
    const KernelType type = chosen.kernel->type;
    if (!(core.core_type == CoreType::AIC ? aics_per_block(type) : aivs_per_block(type))) return false;
    return (is_vector_only(type) ? core.core_idx : core.fused->home_block) < chosen.num_blocks;
}

void start_fused(Core& core, int64_t block, int32_t sub) {
    const Launch& launch = *core.launch;
    if (!core.fused_kept) core.fused_kept = std::make_shared<Fused>();
    core.fused = core.fused_kept.get();
    auto chosen = std::move(core.fused->chosen); // keeps its memory
    chosen.clear();
    *core.fused = {};
    core.fused->chosen = std::move(chosen);
    core.fused->home_block = block;
    core.fused->home_sub = sub;
    core.fused->home_ratio = core.core_type == CoreType::AIV ? aivs_per_block(launch.kernel->type) : 1;
    for (const auto& each : launch.kernel->plan->subs) core.fused->chosen.push_back({each.kernel.get(), each.num_blocks, each.tiling_key});
    core.in_superkernel = 1;
}

void run_plan(Core& core) {
    const Plan& plan = *core.launch->kernel->plan;
    for (const PlanStep& step : plan.steps[kind_index(core.core_type)]) run_step(core, plan, step);
}

} // namespace aclimb
