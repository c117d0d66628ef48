// SPDX-License-Identifier: Apache-2.0
// SetNextTaskStart and WaitPreTaskEnd. Outside a SuperKernel they have no effect; they are counted, because each core must
// call them exactly once.
#include "isa/control.h"

namespace aclimb {

bool execute_next_task_start(Core& core, Head&) {
    if (core.early_set < 255) core.early_set++;
    return true;
}

bool execute_pre_task_end(Core& core, Head&) {
    if (core.early_wait < 255) core.early_wait++;
    return true;
}

} // namespace aclimb
