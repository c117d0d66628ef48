// SPDX-License-Identifier: Apache-2.0
// A dynamic input, read as the interface for it says.
#include "kernel_operator.h"

using namespace AscendC;

// z = how many tensors; then, for each of them: its two sides and its first word.
extern "C" __global__ __vector__ void read_list(GM_ADDR list, GM_ADDR z) {
    ListTensorDesc tensors((__gm__ void*)list);
    auto* out = (__gm__ uint64_t*)z;
    const uint32_t count = tensors.GetSize();
    out[0] = count;
    for (uint32_t i = 0; i < count; ++i) {
        uint64_t sides[8] = {};
        TensorDesc<int32_t> one;
        one.SetShapeAddr(sides);
        tensors.GetDesc(one, i);
        out[1 + 3 * i] = one.GetShape(0);
        out[2 + 3 * i] = one.GetShape(1);
        out[3 + 3 * i] = *tensors.GetDataPtr<int32_t>(i);
    }
}
