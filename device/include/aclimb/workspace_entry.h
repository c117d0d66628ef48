// SPDX-License-Identifier: Apache-2.0
// A kernel whose workspace begins with the system's part, and which sees what comes behind: one that marks the parameter with
// __kfc_workspace__, or one of a library that was built with HAVE_WORKSPACE.
#pragma once
#include "aclimb/entry.h"
#include "aclimb/workspace.h"

namespace aclimb {

template <typename T, bool is_workspace> inline __attribute__((always_inline)) T argument(const uint8_t* at) {
    T value = *reinterpret_cast<const std::remove_reference_t<T>*>(at);
    if constexpr (is_workspace) {
        static_assert(std::is_pointer_v<T>,
                      "__kfc_workspace__ or HAVE_WORKSPACE says that this parameter is the workspace (HAVE_WORKSPACE: the last one, with "
                      "HAVE_TILING the last but one), and it is no pointer");
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
