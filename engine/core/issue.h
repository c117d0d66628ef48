// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/core.h"

namespace aclimb {

void issue(CoreView* view, Head* head);          // what CoreView::issue points to
void issue_observed(CoreView* view, Head* head); // ... where the launch has observers, or is as lax as hardware
bool execute_record(Core& core, Head& head);     // runs one record, as strict as the launch is, and tells its observers
uint32_t bytes_in_queue(const Head& head);
void defer(Core& core, const Head* head); // keeps it in the queue of its pipe
void drain(Core& core);                   // runs what core.wake says may go on

// The scalar unit stops until every pipe is empty. Whatever is pending waits for a flag that only later instructions
// could set, and they will not come: a hang.
void require_idle(Core& core, const char* at);
Fault hang_in_core(Core& core, const char* at);
[[noreturn]] void fail_set_twice(Core& core, const Flag& flag); // nobody has waited for the set before

} // namespace aclimb
