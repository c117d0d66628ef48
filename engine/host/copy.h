// SPDX-License-Identifier: Apache-2.0
// Copies and fills between host and device memory. A device address is looked up and held for the time of the copy, so that neither
// a freed nor a foreign address harms anybody, and so is one of malloc_host; any other host address goes through memory/guarded.h.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "host/host_memory.h"

namespace aclimb {

enum class Side : int { none = 0, dst = 1, src = 2 }; // which address was refused

struct MemoryCopy {
    uint64_t dst = 0, src = 0; // src is the byte value of a fill
    uint64_t width = 0, height = 1, dst_pitch = 0, src_pitch = 0;
    bool fill = false;
    std::shared_ptr<HostBlock> keep[2]; // page-locked memory that a queued copy uses
    std::vector<uint8_t> staged;        // source bytes taken along
    uint32_t site = 0;                  // the place in the host program that asked for it

    Side run();
    uint64_t span(uint64_t pitch) const; // from the first byte of the first row to the last one of the last; at most 2**64 - 1
};

} // namespace aclimb
