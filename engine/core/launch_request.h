// SPDX-License-Identifier: Apache-2.0
// What a launch is asked for: filled by whoever launches, copied into the task of a stream, kept by a capture.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "core/kernel.h"

namespace aclimb {

struct ArgsBlock;

struct LaunchRequest {
    std::shared_ptr<Kernel> kernel;
    int64_t num_blocks = 0;
    uint64_t tiling_key = 0;
    uint8_t* system_workspace = nullptr;
    std::vector<uint64_t> args; // 8-byte slots
    uint64_t args_bytes = 0;    // of them used
    uint64_t args_at = 0;       // device address where they are found when the launch starts; 0: they are here
    std::vector<std::shared_ptr<ArgsBlock>>
        blocks;                                 // their copy in device memory, when placeholders point into it; a fused launch has several
    uint64_t limit_ns = 0;                      // how long it may run; 0: as long as any
    uint32_t site = 0;                          // the place in the host program that launched it (bind/sites.h)
    Strictness strictness = Strictness::device; // as the caller asked for it
    uint64_t bound_at = 0;                      // how many allocations there had been when its arguments were given; 0: nobody has asked
};

} // namespace aclimb
