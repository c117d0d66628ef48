// SPDX-License-Identifier: Apache-2.0
// A switch between stacks: 8 ns, no system call. Only what the C calling convention asks to keep is kept.
#pragma once
#include <cstddef>
#include <cstdint>

#include "aclimb/abi.h"
#include "memory/sanitizers.h"

extern "C" {
// Saves the caller's registers on its stack, stores the stack pointer in *save and continues where `to` was saved.
void aclimb_switch(void** save, void* to);
// The second half of the switch, for a signal handler that leaves a core: enter with the stack pointer set to a saved one.
void aclimb_switch_tail();
}

namespace aclimb {

// A stack of kStackBytes, aligned to its size, with inaccessible pages at its low end and behind its high end.
uint8_t* allocate_stack();
bool below_stack(const uint8_t* stack, uint64_t addr); // in the pages that an overflow runs into
bool above_stack(const uint8_t* stack, uint64_t addr); // ... and those that an array written beyond its end does
constexpr size_t kStackGuardBytes = 64 * 1024;         // a multiple of every host's page size
// What a kernel has to leave for the instructions it issues: an overflow inside them could leave a lock, or the heap, half way.
constexpr size_t kEngineStackBytes = (kSanitized ? 64 : 16) * 1024;

inline __attribute__((always_inline)) bool stack_is_low() {
    return (reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) & (kStackBytes - 1)) < kStackGuardBytes + kEngineStackBytes;
}

// The stack pointer from which the first switch enters `entry`. The words at the top of the stack are written anew: `view` for core(), and
// around it a pattern that an array written beyond its end destroys.
void* prepare_stack(uint8_t* stack, void (*entry)(), CoreView* view);
bool stack_is_whole(uint8_t* stack, const CoreView* view);

// A scheduler hands its thread to a core, and goes on here when that core switches back. Only this side announces both switches to a
// sanitizer: a core may leave its stack in a signal handler, or never come back to it.
#if ACLIMB_ASAN || ACLIMB_TSAN
void forget_frames(uint8_t* stack, void*& fiber); // those that the stack's last user left behind
void hand_thread_to(void** save, void* to, uint8_t* stack, void* fiber);
#else
inline void forget_frames(uint8_t*, void*&) {}
inline __attribute__((always_inline)) void hand_thread_to(void** save, void* to, uint8_t*, void*) { aclimb_switch(save, to); }
#endif

} // namespace aclimb
