// SPDX-License-Identifier: Apache-2.0
// vsqrt  dst = square root of a; NaN below 0                       Ascend C: Sqrt
UNARY(vsqrt, half, float) { return sqrt_lane(a); }
