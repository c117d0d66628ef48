// SPDX-License-Identifier: Apache-2.0
// vexp  dst = e to the power a, correctly rounded in nearly all cases   Ascend C: Exp
UNARY(vexp, half, float) { return exp_lane(a); }
