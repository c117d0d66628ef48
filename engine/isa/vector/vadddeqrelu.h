// SPDX-License-Identifier: Apache-2.0
// vadddeqrelu  dst = the half nearest to (a + b) * DEQSCALE, not below 0; the sum of int32_t wraps.   Ascend C: AddDeqRelu
MOVE(vadddeqrelu, half)
