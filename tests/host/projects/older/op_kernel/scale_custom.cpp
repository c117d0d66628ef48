// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"
#include "scale_custom.h"
#ifndef MORE
#define MORE 0
#endif

extern "C" __global__ __aicore__ void scale_custom(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    GET_TILING_DATA(data, tiling);
    for (uint32_t i = 0; i < data.length; ++i) ((__gm__ DTYPE_Y*)y)[i] = Scaled(((__gm__ DTYPE_X*)x)[i], data.factor, ADDED + MORE);
}
