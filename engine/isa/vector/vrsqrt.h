// SPDX-License-Identifier: Apache-2.0
// vrsqrt  dst = 1 / square root of a; -inf at -0, NaN below 0. Rounded correctly, where the NPU approximates.   Ascend C: Rsqrt
UNARY(vrsqrt, half, float) { return rsqrt_lane(a); }
