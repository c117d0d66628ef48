// SPDX-License-Identifier: Apache-2.0
// For kernels in a source that has a host part too (src/aclimb/compile/device_text.py): what a compiler or a header of the host calls on
// its own. An image imports nothing, so it brings them; weak, and dropped where nobody asks for them.
#pragma once
#include "aclimb/debug.h"
#include "aclimb/entry.h"
#include "aclimb/workspace.h"

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

// A kernel of a library that was built with HAVE_WORKSPACE: its workspace begins with the system's part, and it sees what comes behind.
namespace aclimb {

template <typename T, bool is_workspace> inline __attribute__((always_inline)) T argument(const uint8_t* at) {
    T value = *reinterpret_cast<const std::remove_reference_t<T>*>(at);
    if constexpr (is_workspace) {
        static_assert(std::is_pointer_v<T>,
                      "HAVE_WORKSPACE says that this parameter is the workspace (the last one, with HAVE_TILING the last "
                      "but one), and it is no pointer");
        auto* bytes = (uint8_t*)value;
        if (!bytes) return value;
        AscendC::SetSysWorkspaceForce(bytes);
        return (T)(bytes + AscendC::RESERVED_WORKSPACE);
    } else {
        return value;
    }
}
template <size_t from_end, typename... P, size_t... index>
inline __attribute__((always_inline)) void call_with_workspace(void (*kernel)(P...), const uint8_t* args, Indices<index...>) {
    kernel(argument<P, index + from_end == sizeof...(P)>(args + Slots<P...>::offset_of(index))...);
}
template <size_t from_end, typename... P>
inline __attribute__((always_inline)) void call_with_workspace(void (*kernel)(P...), const void* args) {
    (check_parameter<P>(), ...);
    call_with_workspace<from_end>(kernel, static_cast<const uint8_t*>(args), typename MakeIndices<sizeof...(P)>::type{});
}

} // namespace aclimb

#define ACLIMB_KERNEL_WITH_WORKSPACE(symbol, call, ...) ACLIMB_ENTRY(symbol, call(&__VA_ARGS__, args), __VA_ARGS__)
