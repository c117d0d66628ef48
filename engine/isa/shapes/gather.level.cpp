// SPDX-License-Identifier: Apache-2.0
#include "isa/shapes/gather.h"

#include <cstring>

ACLIMB_LEVEL_BEGIN

static OffsetFacts look(const uint32_t* offsets, size_t n) {
    uint32_t highest = 0, bits = 0;
    for (size_t i = 0; i < n; i++) {
        highest = offsets[i] > highest ? offsets[i] : highest;
        bits |= offsets[i];
    }
    return {highest, bits};
}

template <class T> static void gather_lanes(void* dst, const uint8_t* from, const uint32_t* offsets, size_t n) {
    T* to = static_cast<T*>(dst);
    for (size_t i = 0; i < n; i++) std::memcpy(to + i, from + offsets[i], sizeof(T));
}

const GatherLoops& gather_loops() {
    static constexpr GatherLoops loops = {look, {gather_lanes<uint16_t>, gather_lanes<uint32_t>}};
    return loops;
}

ACLIMB_LEVEL_END
