// SPDX-License-Identifier: Apache-2.0
// vbrcb  each of 8 elements of a fills one 32-byte block of dst, in every repeat.   Ascend C: Brcb
MOVE(vbrcb, half, bfloat16_t, float, int16_t, uint16_t, int32_t, uint32_t)
