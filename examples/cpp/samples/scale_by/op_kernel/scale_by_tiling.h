// SPDX-License-Identifier: Apache-2.0
// What the host tells the kernel.
#pragma once
#include <cstdint>

struct ScaleByTiling {
    uint32_t count; // elements in all
    uint32_t share; // elements of one block
    float scale;
};
