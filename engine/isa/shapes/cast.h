// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "isa/shapes/lane.h"

namespace aclimb {

// What a conversion loop needs to know, as b of the loop.
struct CastOptions {
    uint8_t mode; // RoundMode
    bool saturate;
    bool truncates; // integers keep their low bits instead of clamping
    uint16_t scale; // bits of a half: DEQSCALE, int32_t -> half only
};

struct CastTable {
    Lane lane[kDtypes][kDtypes];     // destination, source
    uint8_t modes[kDtypes][kDtypes]; // bit = RoundMode
};

ACLIMB_DECLARE_LEVELS(CastTable, cast_lanes)

} // namespace aclimb
