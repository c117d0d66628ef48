// SPDX-License-Identifier: Apache-2.0
// One AIC or AIV while it runs a block.
//
// State map
//   CoreView (abi.h)  what the kernel may touch: indices, registers, buffer slots
//   Datapath          what its instructions use: memories and checked access to them
//   flags             one bit for (source pipe, destination pipe, id)
//   queues            records that could not run yet, one in-order queue a pipe; empty in a program without early waits
//   stack, sp         the coroutine; the kernel function is the scalar unit
#pragma once
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "core/cpu_modes.h"
#include "isa/datapath.h"
#include "isa/effect.h"
#include "isa/ranges.h"
#include "ranks/ranks.h"

namespace aclimb {

struct Fused;
struct KernelSignal;
struct Launch;
struct Worker;

// Where in a fused kernel an instruction was issued.
struct Origin {
    int32_t sub = -1;            // index of the sub-kernel in the plan
    uint8_t waited = 0, set = 0; // WaitPreTaskEnd, SetNextTaskStart came before it
    uint8_t reserved[2] = {};
};

struct QueuedBytes {
    uint32_t at; // where its record begins
    uint8_t memory;
    bool writes;
    Rectangle rows;
};

// Each record is kept behind its Origin.
struct PipeQueue {
    std::vector<uint8_t> records;
    uint32_t head = 0, tail = 0;
    std::vector<QueuedBytes> bytes; // of the records up to `looked`: only under a schedule, where somebody asks
    uint32_t looked = 0;
    bool empty() const { return head == tail; }
    void clear() {
        head = tail = looked = 0;
        bytes.clear();
    }
};

struct Wait {
    enum Kind : uint8_t {
        none,
        cross_flag,
        cross_room,
        gm_all,
        gm_event,
        gm_empty,
        gm_turn,
        gm_group,
        message,
        any_message,
        tail,
        feed
    } kind = none;
    uint8_t id = 0, sync_all = 0;
    int32_t expected = 0, cores = 0; // any_message: who may send; message: the unit it is from
    uint64_t addr = 0;
};

enum class CoreState : uint8_t { fresh, running, blocked, ready, done, failed };

struct Core : Datapath {
    uint8_t pending = 0; // pipes with a queue that is not empty
    uint8_t wake = 0;    // pipes whose first record may be able to run now
    std::atomic<CoreState> state{CoreState::fresh};
    uint8_t flags[kPipes + 1][kPipes + 1];            // bit = id
    const void* flag_site[kPipes][kPipes][kEventIds]; // the last SetFlag, for messages; valid while the bit is set
    PipeQueue queues[kPipes];

    Origin origin; // of the instruction being executed
    std::shared_ptr<Fused> fused_kept;
    Fused* fused = nullptr; // what a core of a fused kernel keeps; null in every other launch
    bool scheduled = false; // an adversarial schedule decides when records run
    struct {
        bool drain = false, give_up = false;
        int drained = 0; // the answer
    } asked;             // by the schedule, of a core that stands still

    Launch* launch = nullptr;
    Worker* worker = nullptr;
    Wait wait;                               // why the scalar unit stands still, while state is blocked
    uint64_t hccl_context[kRankGroups] = {}; // of the device's groups, or as SetHcclContext left them
    uint32_t polls = 0;                      // scalar loads of global memory in a row
    std::string* output = nullptr;           // printf and DumpTensor
    int32_t unit = 0;                        // index in the launch's list of cores
    int32_t first_unit = 0, first_aiv = 0;   // of its block, in that list
    int32_t core_idx = 0;                    // index among the cores of its kind
    void* sp = nullptr;
    uint8_t* stack = nullptr;
    void* fiber = nullptr;    // ThreadSanitizer's name for that stack
    CpuModes modes;           // of the host's CPU, while another core runs
    std::vector<Fault> fault; // empty or one
    struct {
        uint64_t launch = 0;
        const void* pc = nullptr;
    } noted[8];                               // where the last lax launches went on
    struct Attempt* attempt = nullptr;        // at the instruction being executed, in a lax launch
    std::vector<std::vector<uint8_t>> beyond; // by operand: what a lax launch reads behind an allocation's last page

    [[noreturn]] void leave(const KernelSignal& signal); // as fail, as if a signal had come: for where there is no room to find words
    [[noreturn]] void leave_low_stack();
};

inline Core& core_of(Datapath& path) { return static_cast<Core&>(path); }
inline const Core& core_of(const Datapath& path) { return static_cast<const Core&>(path); }

// Of a record that this core issued in that member of a SuperKernel. Most records order nothing beyond their place in their pipe.
Effect effect_of_actor(const Core& core, const Head& head, int32_t sub);
inline Effect effect_of(const Core& core, const Head& head, int32_t sub) {
    return ACLIMB_LIKELY(orders_nothing(row_of(head.op))) ? Effect() : effect_of_actor(core, head, sub);
}
inline Effect effect_of(const Core& core, const Head& head) { return effect_of(core, head, core.origin.sub); }

extern const Execute execute_table[];     // by Op
bool execute_lax(Core& core, Head& head); // the same in a launch as lax as hardware

} // namespace aclimb
