// SPDX-License-Identifier: Apache-2.0
// SetFlag, WaitFlag, PipeBarrier: ordering between the pipes of one core. A flag is one bit.
#include "core/issue.h"

namespace aclimb {

bool execute_set_flag(Core& core, Head& head) {
    const auto& flag = reinterpret_cast<Flag&>(head);
    const int src = static_cast<int>(flag.src), dst = static_cast<int>(flag.dst);
    uint8_t& bits = core.flags[src][dst];
    const uint8_t bit = 1 << flag.id;
    if (ACLIMB_UNLIKELY(bits & bit)) {
        if (core.scheduled && core.draining) return false; // the pipe that waits for the one before is only slow
        fail_set_twice(core, flag);
    }
    bits |= bit;
    core.flag_site[src][dst][flag.id] = core.pc;
    if (ACLIMB_UNLIKELY(core.pending >> dst & 1) && !core.scheduled) {
        core.wake |= 1 << dst;
        drain(core);
    }
    return true;
}

bool execute_wait_flag(Core& core, Head& head) {
    const auto& flag = reinterpret_cast<Flag&>(head);
    uint8_t& bits = core.flags[static_cast<int>(flag.src)][static_cast<int>(flag.dst)];
    const uint8_t bit = 1 << flag.id;
    if (ACLIMB_LIKELY(bits & bit)) {
        bits &= ~bit;
        return true;
    }
    if (flag.dst != Pipe::S) return false;
    // Everything that could run has run, and nothing more will be issued.
    auto fault = hang_in_core(core, "WaitFlag");
    fault.text("wait", std::string(name_of(flag.src)) + " S " + std::to_string(flag.id));
    fault.site("S", reinterpret_cast<uint64_t>(core.pc));
    core.fail(std::move(fault));
}

bool execute_pipe_barrier(Core& core, Head& head) {
    if (head.pipe == Pipe::ALL) require_idle(core, "PipeBarrier<PIPE_ALL>");
    return true;
}

} // namespace aclimb
