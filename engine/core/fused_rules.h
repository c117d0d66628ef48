// SPDX-License-Identifier: Apache-2.0
// What the rules of a SuperKernel and its execution ask each other.
#pragma once
#include "core/plan.h"

namespace aclimb {

// The mask itself is not among them: every masked call sets its own.
constexpr uint8_t kLeakCounter = 1, kLeakAtomic = 2, kLeakModes = 4;

uint8_t leaks(const Core& core); // mode registers that are not as a kernel expects to find them
[[noreturn]] void fail_count(Core& core, const char* call, int times, const void* before);

} // namespace aclimb
