// SPDX-License-Identifier: Apache-2.0
// Two kernels whose names end in the same key.
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __vector__ void early_7(GM_ADDR out) { *(__gm__ int32_t*)out = 1; }
extern "C" __global__ __vector__ void late_7(GM_ADDR out) { *(__gm__ int32_t*)out = 2; }
