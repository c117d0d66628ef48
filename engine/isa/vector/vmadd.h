// SPDX-License-Identifier: Apache-2.0
// vmadd  dst = a * dst + b; product and sum each round to float, the result to its type.   Ascend C: FusedMulAdd
ACCUMULATE(vmadd, half, float) { return a * d + b; }
