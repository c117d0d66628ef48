// SPDX-License-Identifier: Apache-2.0
// vmulconv  dst = a * b as Mul has it, then as Cast to 8 bits.   Ascend C: MulCast
MOVE(vmulconv, int8_t, uint8_t)
