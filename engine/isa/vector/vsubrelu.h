// SPDX-License-Identifier: Apache-2.0
// vsubrelu  dst = max(a - b, 0); the difference is narrowed after the comparison, once.   Ascend C: SubRelu
BINARY(vsubrelu, half, float, int16_t) { return maximum(a - b, W{0}); }
