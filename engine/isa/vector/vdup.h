// SPDX-License-Identifier: Apache-2.0
// vdup  dst = the scalar's bits, in every lane where the mask is set.   Ascend C: Duplicate
DUPLICATE(vdup, half, bfloat16_t, float, int16_t, uint16_t, int32_t, uint32_t)
