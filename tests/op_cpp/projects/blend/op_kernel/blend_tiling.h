// SPDX-License-Identifier: Apache-2.0
// What the host code of these operators tells their kernels.
#pragma once
#include <cstdint>

struct BlendTiling {
    uint32_t count;
    uint32_t parts; // that are added
    uint32_t has_bias;
    uint32_t multiply;
    float alpha;
    float shift;
    float sign;
    uint32_t order[8];
    float weights[8];
};

struct CountTiling {
    uint32_t count;
    uint32_t times;
};
