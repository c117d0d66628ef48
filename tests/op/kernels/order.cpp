// SPDX-License-Identifier: Apache-2.0
// What ran, in which order, and how often.
#include "kernel_operator.h"

using namespace AscendC;

// z = 10 z + digit.
extern "C" __global__ __vector__ void append_digit(GM_ADDR z, int64_t digit) {
    auto* number = (__gm__ int64_t*)z;
    *number = *number * 10 + digit;
}

// Waits until the host writes something else than 0 to *open.
extern "C" __global__ __vector__ void gate(GM_ADDR open) {
    while (*(volatile __gm__ int32_t*)open == 0) {}
}

// A kernel that does not end well.
extern "C" __global__ __vector__ void traps(GM_ADDR x) { Trap(); }
