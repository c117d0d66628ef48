// SPDX-License-Identifier: Apache-2.0
// A core as its instructions see it: registers, memories, and checked access to them. What orders instructions (pipes, flags, other
// cores) is in core/core.h, which derives from this; the slow sides of the checks are in core/core.cpp.
#pragma once
#include <atomic>
#include <cstring>

#include "aclimb/abi.h"
#include "isa/fault.h"
#include "memory/global.h"
#include "memory/local.h"

#define ACLIMB_LIKELY(x) __builtin_expect(!!(x), 1)
#define ACLIMB_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define ACLIMB_INLINE __attribute__((always_inline)) inline // on every access: the compiler is not asked whether it is worth it

namespace aclimb {

constexpr Op kNoOp{0xffff}; // no instruction is being executed

struct Datapath : CoreView {
    const void* pc = nullptr;          // of the instruction being executed
    Op op = kNoOp;                     // the instruction being executed
    bool draining = false;             // it had to wait in the queue of its pipe
    uint64_t gathered = 0, merged = 0; // left by GatherMask, MrgSort
    LocalMemory* memory = nullptr;
    GlobalWindow window;                   // the allocation last touched
    std::atomic_flag* held_lock = nullptr; // held while global memory is touched, where the core may end

    // Bytes [place.addr, place.addr + span) for reading or writing; a fault when they are not all the tensor's.
    // `operand` is the position in the Ascend C call, for the message: 0 destination, 1 first source, ...
    template <class T = uint8_t> ACLIMB_INLINE const T* read(const Place& place, uint64_t span, int operand) {
        return reinterpret_cast<const T*>(at(place, span, operand, false));
    }
    template <class T = uint8_t> ACLIMB_INLINE T* write(const Place& place, uint64_t span, int operand) {
        return reinterpret_cast<T*>(at(place, span, operand, true));
    }

    // Ends this core with a fault. Never returns; no destructor of the caller runs.
    [[noreturn]] void fail(Fault fault);
    Fault make_fault(Named<FaultKind> kind) const;

    // What a chip would run. Strict: as fail. As lax as hardware: leaves a note and returns, and the instruction goes on.
    void refuse(Fault fault);
    bool goes_on();   // true: a lax launch that has a note for this line already; no fault needs to be made
    bool has_noted(); // the same of a note in any launch

    bool is_freed(const Place& place) const { return place.slot != kNoSlot && slots[place.slot].generation != place.generation; }
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
    ACLIMB_INLINE uint8_t* at(const Place& place, uint64_t span, int operand, bool writes) {
        if (place.memory == static_cast<uint64_t>(Memory::GM)) {
            if (ACLIMB_LIKELY(window.holds(place.addr, span) && (!place.size || span <= place.size)))
                return reinterpret_cast<uint8_t*>(place.addr);
            return move_window(place, span, operand, writes); // one call, in the last place: with another an Add takes half as long again
        }
        const uint32_t limit = memory->size[place.memory];
        const uint64_t end = place.addr + span;
        if (ACLIMB_UNLIKELY(span > place.size || end > limit)) refuse_bounds(place, span, operand, writes);
        // Not while draining: an instruction that had to wait was issued before the FreeTensor that now lies behind it.
        if (ACLIMB_UNLIKELY(is_freed(place) && !draining)) refuse_freed(place, operand);
        if (writes && end > memory->written[place.memory]) memory->written[place.memory] = static_cast<uint32_t>(end);
        return memory->base[place.memory] + place.addr;
    }
    __attribute__((cold)) uint8_t* move_window(const Place& place, uint64_t span, int operand, bool writes);
    void look_at_declared(const Place& place, uint64_t span, int operand, bool writes); // refuses, and returns
    uint8_t* reach_beyond(const Place& place, uint64_t span, int operand, bool writes);
    void warn_of_blocks(const Place& place, uint64_t span, int operand, const Allocation& from);
    Fault out_of_bounds(const Place& place, uint64_t span, int operand, bool writes);
    void add_limits(struct Fault& made, const Place& place);
    [[noreturn]] void refuse_bounds(const Place& place, uint64_t span, int operand, bool writes);
    [[noreturn]] void refuse_freed(const Place& place, int operand);
    [[noreturn]] void run_again(const Place& place);
    [[noreturn]] void fail_misaligned(const Place& place, uint32_t alignment, int operand);
    [[noreturn]] void fail_range(const char* field, int64_t value, int64_t lowest, int64_t highest);
};

// Runs one record. False: it cannot run yet (only waits answer so); the record stays first in its queue.
using Execute = bool (*)(Datapath&, Head&);

const char* name_of(Pipe pipe);
const char* name_of(Memory memory);
const char* name_of(CoreType type);
const char* name_of(Op op);
const char* api_of(Op op);

inline constexpr uint8_t kDtypeBytes[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 2, 4, 1}; // not inside the function: it would live on the stack
inline size_t size_of(Dtype type) { return kDtypeBytes[static_cast<int>(type)]; }

} // namespace aclimb
