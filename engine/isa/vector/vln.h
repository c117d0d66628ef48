// SPDX-License-Identifier: Apache-2.0
// vln  dst = natural logarithm of a; -inf at 0, NaN below           Ascend C: Ln
UNARY(vln, half, float) { return ln_lane(a); }
