// SPDX-License-Identifier: Apache-2.0
// A launch that was recorded, timed again as if its kernel had been changed: what the change would gain.
#pragma once
#include "timing/simulation.h"

namespace aclimb::timing {

struct WhatIf {
    bool second_buffer = false; // one more of every buffer that a flag frees: each wait for room takes the set before
    bool no_barriers = false;   // flags where PipeBarrier stands: no pipe waits for the others
    bool no_conflicts = false;  // every vector instruction finds its operands in banks of their own
    bool past_l2 = false;       // what is read takes no place in the L2
    bool aligned = false;       // rows begin where lines do
    int copies = 1;             // so many times the blocks, each with work of its own
    bool warm = false;          // it has run before
};

// The times of that launch, without a trace.
LaunchTiming timed_again(const Parameters& parameters, KernelType type, const std::vector<Tape>& tapes, int64_t num_blocks,
                         const WhatIf& change);

} // namespace aclimb::timing
