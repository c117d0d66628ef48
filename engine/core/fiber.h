// SPDX-License-Identifier: Apache-2.0
// A switch between stacks: 8 ns, no system call. Only what the C calling convention asks to keep is kept.
#pragma once
#include <cstddef>
#include <cstdint>

extern "C" {
// Saves the caller's registers on its stack, stores the stack pointer in *save and continues where `to` was saved.
void aclimb_switch(void** save, void* to);
// The second half of the switch, for a signal handler that leaves a core: enter with the stack pointer set to a saved one.
void aclimb_switch_tail();
}

namespace aclimb {

// A stack of kStackBytes, aligned to its size, with an inaccessible page at its low end.
uint8_t* allocate_stack();
void release_stack(uint8_t* stack);
bool in_guard(const uint8_t* stack, uint64_t addr);

// The stack pointer from which the first switch enters `entry`.
void* prepare_stack(uint8_t* stack, void (*entry)());

} // namespace aclimb
