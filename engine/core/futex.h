// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdint>
#include <ctime>

namespace aclimb {

inline void futex_wait(std::atomic<uint32_t>& word, uint32_t seen, uint64_t at_most_ns = 0) {
    timespec pause{static_cast<time_t>(at_most_ns / 1000000000), static_cast<long>(at_most_ns % 1000000000)};
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, seen, at_most_ns ? &pause : nullptr, nullptr, 0);
}

inline void futex_wake(std::atomic<uint32_t>& word, int count = INT_MAX) {
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
}

inline void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    asm volatile("yield");
#endif
}

} // namespace aclimb
