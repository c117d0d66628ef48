// SPDX-License-Identifier: Apache-2.0
// What host and device process share besides global memory: one file in memory, made anew for every process that is started.
//
// State map
//   doorbell   counts commands; device threads without work sleep on it
//   Exchange       one launch on its way: empty -> command (host) -> taken (device) -> answer (device) -> empty (host). An answer that is
//              longer than its room comes in parts: part (device) -> more (host) -> part or answer
//   changes    what became of pieces of global memory, a queue; applied before each launch
//   reply      to the last definition that went through the socket
//   words      the last ones of a process that ends itself
//
// The device side may write anything anywhere here at any time. The host copies what it reads once, and believes none of it.
#pragma once
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdint>
#include <ctime>

#include "core/kernel.h"
#include "memory/global.h"

namespace aclimb {

constexpr uint32_t kExchanges = 16, kChanges = 1024, kReplyBytes = 1024;
constexpr uint64_t kExchangeBytes = 1 << 20;
constexpr int kControlFd = 3, kMemoryFd = 4, kRingFd = 5; // of the device process
constexpr int kEndStatus = 77;                            // it ends itself with this one, and the filter lets no other pass

struct Setup { // written by the host before the process starts
    uint64_t base, reserved;
    uint64_t quarantine, memory_limit;
    int32_t threads;
    char simd[16];
    ChipLimits chip;
};

struct alignas(64) Exchange {
    enum State : uint32_t { empty, command, taken, answer, part, more };
    std::atomic<uint32_t> state;
    std::atomic<uint32_t> cancel;
    std::atomic<uint32_t> sleeping; // the host, until the state changes
    uint32_t bytes;                 // of data
    alignas(64) uint8_t data[kExchangeBytes];
};

struct Reply {
    std::atomic<uint32_t> number; // of the definition it answers
    uint32_t failed, bytes;
    char text[kReplyBytes];
};

struct Words {
    enum Cause : uint32_t { none, system_call, signal, memory, lost_host, no_start };
    std::atomic<uint32_t> cause;
    uint32_t number; // of the call or the signal
};

struct Ring {
    Setup setup;
    alignas(64) std::atomic<uint32_t> doorbell;
    alignas(64) std::atomic<uint32_t> sleepers;
    alignas(64) std::atomic<uint32_t> ready;
    alignas(64) std::atomic<uint64_t> changes_written;
    alignas(64) std::atomic<uint64_t> changes_applied;
    MemoryChange changes[kChanges];
    alignas(64) Reply reply;
    alignas(64) Words words;
    Exchange exchanges[kExchanges];
};

// As core/futex.h has them, between processes.
inline void shared_wait(std::atomic<uint32_t>& word, uint32_t seen, uint64_t at_most_ns) {
    timespec pause{static_cast<time_t>(at_most_ns / 1000000000), static_cast<long>(at_most_ns % 1000000000)};
    syscall(SYS_futex, &word, FUTEX_WAIT, seen, at_most_ns ? &pause : nullptr, nullptr, 0);
}
inline void shared_wake(std::atomic<uint32_t>& word, int count = INT_MAX) {
    syscall(SYS_futex, &word, FUTEX_WAKE, count, nullptr, nullptr, 0);
}

// A definition travels through the socket with one file: an image, the bytes of a kernel, or those of a launch's observers.
struct Definition {
    enum Kind : uint32_t { image, kernel, watch, forget_image, forget_kernel } kind;
    uint32_t number; // of the definition
    uint64_t id, bytes;
};

// What stands at the beginning of a command; the arguments follow.
struct Command {
    uint64_t kernel, num_blocks, tiling_key, system_workspace;
    uint64_t limit_ns, limit_of_all_ns; // the launch's own, 0 for none; of launches that have none
    uint64_t args_bytes, lax;
    uint64_t bound_at, one_worker;
    uint64_t watch; // the definition of its observers; 0: it has none
};

} // namespace aclimb
