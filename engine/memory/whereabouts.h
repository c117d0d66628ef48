// SPDX-License-Identifier: Apache-2.0
// What lies at an address that was used for something else: for messages.
#pragma once
#include <cstdint>

#include "memory/global.h"

namespace aclimb {

struct Whereabouts {
    // In device memory: allocated, freed, or neither (between two pieces, or freed long ago). Elsewhere: the host can read it, or not.
    enum Kind : int { live, freed, beside, host, nothing } kind = nothing;
    const GlobalMemory* memory = nullptr; // the device's, for the first three
    Retired piece;                        // for the first two
};

Whereabouts whereabouts(uint64_t addr);

} // namespace aclimb
