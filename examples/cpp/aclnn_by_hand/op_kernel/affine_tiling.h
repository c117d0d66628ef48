// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

struct AffineTiling {
    uint32_t count;
    uint32_t has_bias;
    float alpha;
};
