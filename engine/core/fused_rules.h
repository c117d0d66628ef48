// SPDX-License-Identifier: Apache-2.0
// What the rules of a SuperKernel and its execution ask each other.
#pragma once
#include <memory>

#include "core/observer.h"
#include "core/plan.h"

namespace aclimb {

// The mask itself is not among them: every masked call sets its own.
constexpr uint8_t kLeakCounter = 1, kLeakAtomic = 2, kLeakModes = 4;

// Before an instruction of a fused kernel is issued: the rules of early start, and what the sub-kernel before left behind. It also marks
// what comes behind WaitPreTaskEnd and SetNextTaskStart.
std::shared_ptr<Observer> fused_rules();

uint8_t leaks(const Core& core); // mode registers that are not as a kernel expects to find them
[[noreturn]] void fail_count(Core& core, const char* call, int times, const void* before);

} // namespace aclimb
