// SPDX-License-Identifier: Apache-2.0
// vaddrelu  dst = max(a + b, 0); the sum is narrowed after the comparison, once.   Ascend C: AddRelu
BINARY(vaddrelu, half, float, int16_t) { return maximum(a + b, W{0}); }
