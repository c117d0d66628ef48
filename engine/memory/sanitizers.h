// SPDX-License-Identifier: Apache-2.0
// Which sanitizer watches this build (make test-asan, make test-tsan). What differs for them: docs/explain/sanitizers.md.
#pragma once
#include <cstdint>

#if defined(__SANITIZE_ADDRESS__)
#define ACLIMB_ASAN 1
#elif defined(__SANITIZE_THREAD__)
#define ACLIMB_TSAN 1
#endif

namespace aclimb {

// For accesses that may meet anything, or nothing, on purpose. Never inlined into what is watched.
#define ACLIMB_UNWATCHED __attribute__((noinline, no_sanitize("address", "thread", "undefined")))

#if ACLIMB_ASAN || ACLIMB_TSAN
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

// Memory that kernels share. Whether they race there is for `aclimb check` to say.
#if ACLIMB_TSAN
extern "C" void AnnotateBenignRaceSized(const char* file, int line, const volatile void* at, size_t bytes, const char* why);
inline void leave_to_kernels(uint64_t addr, uint64_t bytes) {
    AnnotateBenignRaceSized(__FILE__, __LINE__, reinterpret_cast<void*>(addr), bytes, "device memory");
}
#else
inline void leave_to_kernels(uint64_t, uint64_t) {}
#endif

} // namespace aclimb
