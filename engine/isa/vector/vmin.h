// SPDX-License-Identifier: Apache-2.0
// vmin  dst = the smaller of a and b; NaN when either is, and -0 is smaller than +0.   Ascend C: Min
BINARY(vmin, half, float, int16_t, int32_t) { return minimum(a, b); }
