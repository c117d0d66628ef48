// SPDX-License-Identifier: Apache-2.0
// Kernels without extern "C": their symbols carry namespace and parameter types.
#include "kernel_operator.h"

using namespace AscendC;

__global__ __vector__ void plain_cpp(GM_ADDR out, int32_t value) { *(__gm__ int32_t*)out = value; }

namespace deep {
__global__ __vector__ void nested_cpp(GM_ADDR out, int32_t value) { *(__gm__ int32_t*)out = 2 * value; }
} // namespace deep
