// SPDX-License-Identifier: Apache-2.0
// vmax  dst = the larger of a and b; NaN when either is, and +0 is larger than -0.   Ascend C: Max
BINARY(vmax, half, float, int16_t, int32_t) { return maximum(a, b); }
