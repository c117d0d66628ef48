// SPDX-License-Identifier: Apache-2.0
// y = x, as often as the value `times` says.
#include "blend_tiling.h"
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __vector__ void repeat(GM_ADDR x, GM_ADDR times, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(CountTiling);
    GET_TILING_DATA(data, tiling);
    if (GetUserWorkspace(workspace) == nullptr) return;
    for (uint32_t i = GetBlockIdx(); i < data.count * data.times; i += GetBlockNum()) {
        ((__gm__ float*)y)[i] = ((const __gm__ float*)x)[i % data.count];
    }
}
