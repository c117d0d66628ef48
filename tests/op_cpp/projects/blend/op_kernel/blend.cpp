// SPDX-License-Identifier: Apache-2.0
// y = sign * (x + alpha, or x * alpha) + bias + the weighed parts + shift; the first sum goes through the workspace.
#include "blend_tiling.h"
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __vector__ void blend(GM_ADDR x, GM_ADDR bias, GM_ADDR parts, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(BlendTiling);
    GET_TILING_DATA(data, tiling);
    const auto *from = (const __gm__ float*)x, *more = (const __gm__ float*)bias;
    auto *to = (__gm__ float*)y, *between = (__gm__ float*)GetUserWorkspace(workspace);
    ListTensorDesc list((__gm__ void*)parts);
    for (uint32_t i = GetBlockIdx(); i < data.count; i += GetBlockNum()) {
        between[i] = data.sign * (data.multiply ? from[i] * data.alpha : from[i] + data.alpha);
        float sum = between[i] + (data.has_bias ? more[i] : 0.0f) + data.shift;
        for (uint32_t k = 0; k < data.parts; ++k) sum += data.weights[k] * list.GetDataPtr<float>(data.order[k])[i];
        to[i] = sum;
    }
}
