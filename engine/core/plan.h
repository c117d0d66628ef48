// SPDX-License-Identifier: Apache-2.0
// What a fused kernel (a SuperKernel) does: its sub-kernels, and for each sort of core the steps from beginning to end. The rules that
// lead to a plan are Python's (src/aclimb/fuse); here it is only executed.
#pragma once
#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/kernel.h"

namespace aclimb {

struct PlanStep {
    enum Kind : uint8_t {
        call,    // the sub-kernel, on the cores it has blocks for
        set,     // a cross-core flag: pipe, mode, flag
        wait,    // for a cross-core flag
        barrier, // all pipes of the core
        notify,  // the word whose address stands at `at` becomes `value`; core 0 of its kind
        await,   // until that word meets `value` under `mode`; core 0 of its kind
        tiling,  // a dynamic sub-kernel: waits for its lock, reads tiling key and block count
        feed,    // idle cores join every SyncAll of the sub-kernel
        profile, // a record (`value`) in the profiling buffer whose address stands at `at`
        clean    // the data cache
    };
    enum Who : uint8_t { all, idle, first }; // idle: cores that did not, or will not, do it inside the sub-kernel
    Kind kind = call;
    Who who = all;
    Pipe pipe = Pipe::S;
    uint8_t mode = 0, flag = 0;
    int32_t sub = 0;
    uint64_t at = 0, value = 0;
};

struct SubKernel {
    std::shared_ptr<Kernel> kernel;
    int64_t num_blocks = 0; // AIVs for a vector kernel, blocks for the others
    uint64_t tiling_key = 0;
    uint64_t args_offset = 0;                   // bytes into the arguments of the launch
    bool sets = false, waits = false;           // SetNextTaskStart and WaitPreTaskEnd take effect inside
    bool calls_set = false, calls_wait = false; // ... are in its binary at all
    bool feeds = false;                         // its SyncAll takes the idle cores along
    bool dynamic = false;
    uint64_t tiling_at = 0;              // dynamic: where the addresses of tiling key, block count and lock stand
    std::vector<PlanStep> inner_wait[2]; // what WaitPreTaskEnd does on AIC and AIV
    static constexpr uint64_t kNoKey = ~uint64_t{0};
    std::vector<std::pair<uint64_t, std::shared_ptr<Kernel>>> by_key; // dynamic: what runs under a tiling key; kNoKey: it has none
};

struct Plan {
    std::vector<SubKernel> subs;
    std::vector<PlanStep> steps[2]; // AIC, AIV
    uint64_t profile_at = 0;        // where the address of the profiling buffer stands; the task id behind it
};

// What a core of a fused kernel keeps besides.
struct Fused {
    struct Chosen { // by sub-kernel: what runs, which a dynamic one learns from memory
        const Kernel* kernel;
        int64_t num_blocks;
        uint64_t tiling_key;
    };
    std::vector<Chosen> chosen;
    const SubKernel* sub = nullptr; // being run
    int64_t home_block = 0;
    int32_t home_sub = 0, home_ratio = 1;
    uint8_t leaked = 0;  // mode registers that the sub-kernel before left changed: kLeak*
    uint8_t copying = 0; // pipes with copies to global memory that nobody has waited for, a bit each
    bool in_mixed_sync = false;
    uint32_t fed = 0; // SyncAlls that this idle core has joined
    const void* set_site = nullptr;
    const void* served_at = nullptr; // AIC: the line of REGIST_MATMUL_OBJ, once all its AIVs have left that in this sub-kernel
    int32_t waited_in = -1;          // AIV: the sub-kernel whose WaitPreTaskEnd it has come to; launch.mutex held
    std::vector<FaultKind> told;     // warnings that this core need not give again in this sub-kernel
};

struct Core;
inline int kind_index(CoreType type) { return type == CoreType::AIV; }
bool is_vector_only(KernelType type);
bool takes_part(const Core& core, int32_t sub); // whether the core runs the sub-kernel
bool has_early_start(const Core& core);         // the product has it, and the core is in a fused kernel
bool owes_wait(const Core& core);               // an AIC of a sub-kernel with WaitPreTaskEnd that has not come to it
// The AIC that serves inside REGIST_MATMUL_OBJ leaves the kernel there: what stands behind is issued for it, from `line`.
void wait_in_its_place(Core& core, const void* line);
int64_t cores_of(const Kernel& kernel, int64_t num_blocks, CoreType type);

void start_fused(Core& core, int64_t block, int32_t sub);
void run_plan(Core& core);

void sync_all_begins(Core& core, const CrossFlag& flag, bool is_set); // core 0 tells the idle ones

} // namespace aclimb
