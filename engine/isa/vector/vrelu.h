// SPDX-License-Identifier: Apache-2.0
// vrelu  dst = max(a, 0); NaN stays NaN, -0 becomes +0             Ascend C: Relu
UNARY(vrelu, half, float, int32_t) { return maximum(a, W{0}); }
