// SPDX-License-Identifier: Apache-2.0
// One AIC or AIV while it runs a block.
//
// State map
//   CoreView (abi.h)  what the kernel may touch: indices, registers, buffer slots
//   flags             one bit for (source pipe, destination pipe, id)
//   queues            records that could not run yet, one in-order queue a pipe; empty in a program without early waits
//   memories          the core's local memories, lent by its worker for the time of the block
//   stack, sp         the coroutine; the kernel function is the scalar unit
#pragma once
#include <atomic>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "aclimb/abi.h"
#include "core/cpu_modes.h"
#include "core/fault.h"
#include "memory/global.h"
#include "memory/local.h"

#define ACLIMB_LIKELY(x) __builtin_expect(!!(x), 1)
#define ACLIMB_UNLIKELY(x) __builtin_expect(!!(x), 0)

namespace aclimb {

constexpr Op kNoOp{0xffff}; // no instruction is being executed

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

// Each record is kept behind its Origin.
struct PipeQueue {
    std::vector<uint8_t> records;
    uint32_t head = 0, tail = 0;
    bool empty() const { return head == tail; }
};

struct Wait {
    enum Kind : uint8_t { none, cross_flag, cross_room, gm_all, gm_event, tail, feed } kind = none;
    uint8_t id = 0, sync_all = 0;
    int32_t expected = 0, cores = 0;
    uint64_t addr = 0;
};

enum class CoreState : uint8_t { fresh, running, blocked, ready, done, failed };

struct Core : CoreView {
    uint8_t pending = 0; // pipes with a queue that is not empty
    uint8_t wake = 0;    // pipes whose first record may be able to run now
    bool draining = false;
    std::atomic<CoreState> state{CoreState::fresh};
    uint8_t flags[kPipes + 1][kPipes + 1];            // bit = id
    const void* flag_site[kPipes][kPipes][kEventIds]; // the last SetFlag, for messages; valid while the bit is set
    PipeQueue queues[kPipes];
    const void* pc = nullptr; // of the instruction being executed
    Op op = kNoOp;            // the instruction being executed

    Origin origin; // of the instruction being executed
    std::shared_ptr<Fused> fused_kept;
    Fused* fused = nullptr; // what a core of a fused kernel keeps; null in every other launch
    bool scheduled = false; // an adversarial schedule decides when records run

    LocalMemory* memory = nullptr;
    GlobalWindow window; // the allocation last touched

    Launch* launch = nullptr;
    Worker* worker = nullptr;
    Wait wait;                     // why the scalar unit stands still, while state is blocked
    uint32_t polls = 0;            // scalar loads of global memory in a row
    std::string* output = nullptr; // printf and DumpTensor
    int32_t unit = 0;              // index in the launch's list of cores
    int32_t core_idx = 0;          // index among the cores of its kind
    void* sp = nullptr;
    uint8_t* stack = nullptr;
    CpuModes modes;           // of the host's CPU, while another core runs
    std::vector<Fault> fault; // empty or one
    struct {
        uint64_t launch = 0;
        const void* pc = nullptr;
    } noted;                           // where the last lax launch went on
    struct Attempt* attempt = nullptr; // at the instruction being executed, in a lax launch

    // Bytes [place.addr, place.addr + span) for reading or writing; a fault when they are not all the tensor's.
    // `operand` is the position in the Ascend C call, for the message: 0 destination, 1 first source, ...
    template <class T = uint8_t> const T* read(const Place& place, uint64_t span, int operand) {
        return reinterpret_cast<const T*>(at(place, span, operand, false));
    }
    template <class T = uint8_t> T* write(const Place& place, uint64_t span, int operand) {
        return reinterpret_cast<T*>(at(place, span, operand, true));
    }

    // Ends this core with a fault. Never returns; no destructor of the caller runs.
    [[noreturn]] void fail(Fault fault);
    [[noreturn]] void leave(const KernelSignal& signal); // the same, as if a signal had come: for where there is no room to find words
    [[noreturn]] void leave_low_stack();
    Fault make_fault(Named<FaultKind> kind) const;

    // What a chip would run. Strict: as fail. As lax as hardware: leaves a note and returns, and the instruction goes on.
    void refuse(Fault fault);
    bool goes_on(); // true: a lax launch that has a note for this line already; no fault needs to be made
    void look_at_freed(const Place& place, int operand); // as read and write do; refuses, and returns

    // The documented alignment of an operand; `alignment` is a power of two.
    void require_aligned(const Place& place, uint32_t alignment, int operand) {
        if (ACLIMB_UNLIKELY(place.addr & (alignment - 1))) fail_misaligned(place, alignment, operand);
    }
    // A packed field of the instruction. Hardware would cut it off; we say so.
    void require_range(const char* field, int64_t value, int64_t lowest, int64_t highest) {
        if (ACLIMB_UNLIKELY(value < lowest || value > highest)) fail_range(field, value, lowest, highest);
    }
    // A type or mode the instruction does not have. The text is a whole sentence.
    [[noreturn]] void fail_unsupported(const char* sentence);

  private:
    uint8_t* at(const Place& place, uint64_t span, int operand, bool writes) {
        if (place.memory == static_cast<uint64_t>(Memory::GM)) {
            if (ACLIMB_UNLIKELY(!window.holds(place.addr, span))) move_window(place, span, operand, writes);
            if (ACLIMB_UNLIKELY(place.size && span > place.size)) refuse_bounds(place, span, operand, writes);
            return reinterpret_cast<uint8_t*>(place.addr);
        }
        const uint32_t limit = memory->size[place.memory];
        const uint64_t end = place.addr + span;
        if (ACLIMB_UNLIKELY(span > place.size || end > limit)) refuse_bounds(place, span, operand, writes);
        // Not while draining: an instruction that had to wait was issued before the FreeTensor that now lies behind it.
        if (ACLIMB_UNLIKELY(place.slot != kNoSlot && slots[place.slot].generation != place.generation && !draining))
            refuse_freed(place, operand);
        if (writes && end > memory->written[place.memory]) memory->written[place.memory] = static_cast<uint32_t>(end);
        return memory->base[place.memory] + place.addr;
    }
    void move_window(const Place& place, uint64_t span, int operand, bool writes);
    [[noreturn]] void refuse_bounds(const Place& place, uint64_t span, int operand, bool writes);
    [[noreturn]] void refuse_freed(const Place& place, int operand);
    [[noreturn]] void run_again(const Place& place);
    [[noreturn]] void fail_misaligned(const Place& place, uint32_t alignment, int operand);
    [[noreturn]] void fail_range(const char* field, int64_t value, int64_t lowest, int64_t highest);
};

const char* name_of(Pipe pipe);
const char* name_of(Memory memory);
const char* name_of(CoreType type);
const char* name_of(Op op);
const char* api_of(Op op);

// Runs one record. False: it cannot run yet (only waits answer so); the record stays first in its queue.
using Execute = bool (*)(Core&, Head&);
extern const Execute execute_table[];     // by Op
bool execute_lax(Core& core, Head& head); // the same in a launch as lax as hardware

inline constexpr uint8_t kDtypeBytes[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 2, 4, 1}; // not inside the function: it would live on the stack
inline size_t size_of(Dtype type) { return kDtypeBytes[static_cast<int>(type)]; }

} // namespace aclimb
