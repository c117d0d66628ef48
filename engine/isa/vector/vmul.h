// SPDX-License-Identifier: Apache-2.0
// vmul  dst = a * b                                               Ascend C: Mul
BINARY(vmul, half, float, int16_t, int32_t) { return a * b; }
