// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"

using namespace AscendC;

// *out = the tiling key.
extern "C" __global__ __vector__ void three_keys(GM_ADDR out) {
    auto* word = (__gm__ int32_t*)out;
    if (TILING_KEY_IS(1)) {
        *word = 1;
    } else if (TILING_KEY_IS(20)) {
        *word = 20;
    } else if (TILING_KEY_IS(300)) {
        *word = 300;
    }
}
