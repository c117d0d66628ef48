// SPDX-License-Identifier: Apache-2.0
// vsub  dst = a - b                                               Ascend C: Sub
BINARY(vsub, half, float, int16_t, int32_t) { return a - b; }
