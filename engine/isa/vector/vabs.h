// SPDX-License-Identifier: Apache-2.0
// vabs  dst = |a|                                                 Ascend C: Abs
UNARY(vabs, half, float) { return float_of(bits_of(a) & 0x7fffffffu); }
