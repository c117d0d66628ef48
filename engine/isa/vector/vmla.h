// SPDX-License-Identifier: Apache-2.0
// vmla  dst = dst + a * b; product and sum each round to float, the result to its type.   Ascend C: MulAddDst
ACCUMULATE(vmla, half, float, mixed<float, half>) { return d + a * b; }
