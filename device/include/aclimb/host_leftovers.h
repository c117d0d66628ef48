// SPDX-License-Identifier: Apache-2.0
// For kernels in a source that has a host part too (src/aclimb/compile/device_text.py): what a compiler or a header of the host calls on
// its own. An image imports nothing, so it brings them; weak, and dropped where nobody asks for them.
#pragma once
#include "aclimb/debug.h"

#define ACLIMB_LEFTOVER extern "C" __attribute__((weak, visibility("hidden")))

// Code that may throw has an exit for exceptions. The AI Core has none, so it is never taken.
ACLIMB_LEFTOVER void _Unwind_Resume(void*) { __builtin_trap(); }
ACLIMB_LEFTOVER int __gxx_personality_v0() { return 0; }

// assert of <assert.h>, where it was included behind our headers.
ACLIMB_LEFTOVER void __assert_fail(const char* expression, const char* file, unsigned int line, const char*) noexcept(true) {
    aclimb::assert_failed(expression, file, line);
    __builtin_trap();
}

#undef ACLIMB_LEFTOVER
