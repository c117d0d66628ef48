// SPDX-License-Identifier: Apache-2.0
// Launches that were recorded instead of run, each with a copy of its argument bytes. Device memory that the arguments point to is the
// caller's, apart from blocks that the runtime made for placeholders.
#pragma once
#include <memory>
#include <mutex>
#include <vector>

#include "core/kernel.h"
#include "host/device.h"

namespace aclimb {

struct CapturedLaunch {
    std::shared_ptr<Kernel> kernel;
    int64_t num_blocks = 0;
    uint64_t tiling_key = 0;
    uint8_t* system_workspace = nullptr;
    std::vector<uint64_t> args;
    uint64_t args_bytes = 0, args_at = 0, limit_ns = 0;
    std::vector<std::shared_ptr<ArgsBlock>> blocks;
    Strictness strictness = Strictness::device;
    uint64_t stream = 0; // on which it was recorded
    uint32_t site = 0;   // the place in the host program that did
};

struct Capture {
    std::mutex mutex;
    std::vector<CapturedLaunch> launches;
};

} // namespace aclimb
