// SPDX-License-Identifier: Apache-2.0
#ifndef MUL_ADD_CUSTOM_TILING_H
#define MUL_ADD_CUSTOM_TILING_H
#include <cstdint>

struct MulAddTiling {
    uint32_t total;
    uint32_t piece;
    float factor;
};
#endif
