// SPDX-License-Identifier: Apache-2.0
// sum += x, in place.
#include "blend_tiling.h"
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __vector__ void accumulate(GM_ADDR sum, GM_ADDR x, GM_ADDR again, GM_ADDR workspace, GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(CountTiling);
    GET_TILING_DATA(data, tiling);
    if (workspace == nullptr) return;
    for (uint32_t i = GetBlockIdx(); i < data.count; i += GetBlockNum()) ((__gm__ float*)again)[i] += ((const __gm__ float*)x)[i];
}
