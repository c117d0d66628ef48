// SPDX-License-Identifier: Apache-2.0
// Small words that kernels expect from the compiler or from any of the headers: hints, logs of the CPU debug mode, another name of float.
#pragma once
#include "aclimb/debug.h"

#ifndef likely
#define likely(x) __builtin_expect(!!(x), 1)
#endif
#ifndef unlikely
#define unlikely(x) __builtin_expect(!!(x), 0)
#endif

// Without the word `inline`: kernels write that too, and g++ does not take it twice.
#define __forceinline__ __attribute__((always_inline))

typedef float float32_t;

namespace AscendC {
enum class LogLevel : uint8_t { KERNEL_DEBUG = 0, KERNEL_INFO = 1, KERNEL_WARN = 2, KERNEL_ERROR = 3 };
} // namespace AscendC

// A log of the CPU debug mode: in a device build, which this is, nothing is left of it.
#ifndef KERNEL_LOG
#define KERNEL_LOG(level, ...) static_cast<void>(0)
#endif
// Also of the CPU debug mode. Here it is checked, as assert is: a device build would let it pass, and its author wants to know.
#ifndef ASSERT
#define ASSERT(...) ascendc_assert(__VA_ARGS__)
#endif
