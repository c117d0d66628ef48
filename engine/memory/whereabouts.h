// SPDX-License-Identifier: Apache-2.0
// What lies at an address that was used for something else: for messages.
#pragma once
#include <cstdint>

#include "memory/global.h"

namespace aclimb {

struct Whereabouts {
    // In device memory: allocated, freed, or neither (between two pieces, or freed long ago). Elsewhere: the host can read it, or not.
    // malloc_host's own memory is looked up by who asks (bind/host.cpp).
    enum Kind : uint8_t { device, freed, beside, host, nothing, freed_host } kind = nothing;
    const GlobalMemory* memory = nullptr; // the device's, for the first three
    Retired piece;                        // for the first two
};

Whereabouts whereabouts(uint64_t addr);

} // namespace aclimb
