// SPDX-License-Identifier: Apache-2.0
// Launches that were recorded instead of run, each with a copy of its argument bytes. Device memory that the arguments point to is the
// caller's, apart from blocks that the runtime made for placeholders.
#pragma once
#include <memory>
#include <mutex>
#include <vector>

#include "core/launch_request.h"
#include "host/device.h"

namespace aclimb {

struct CapturedLaunch : LaunchRequest {
    uint64_t stream = 0; // on which it was recorded
};

struct Capture {
    std::mutex mutex;
    std::vector<CapturedLaunch> launches;
};

} // namespace aclimb
