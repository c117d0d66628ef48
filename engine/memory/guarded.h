// SPDX-License-Identifier: Apache-2.0
// The one door to memory that somebody else vouches for: host addresses of the user. A copy through it says no, where a plain one would
// end the process. It costs a few ns: nobody asks the kernel, a fault on the way is taken back to here (core/faults.cpp).
#pragma once
#include <cstdint>

namespace aclimb {

// False: a byte is missing, or may not be written; the bytes before it may have been copied.
bool copy_guarded(void* to, const void* from, uint64_t bytes);
bool fill_guarded(void* to, int value, uint64_t bytes);
// How many bytes can be read from there on, at most `bytes`; by whole pages, and never beyond the last address.
uint64_t readable_bytes(uint64_t addr, uint64_t bytes);

void install_fault_handlers(); // core/faults.cpp: for this, and for faults inside kernels

// For the fault handler: whether such an access is under way on this thread, and where it returns to then.
bool in_guarded();
[[noreturn]] void leave_guarded();

} // namespace aclimb
