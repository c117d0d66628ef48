// SPDX-License-Identifier: Apache-2.0
// vtranspose  dst = a transposed, 16 x 16.   Ascend C: Transpose
MOVE(vtranspose, half, int16_t, uint16_t)
