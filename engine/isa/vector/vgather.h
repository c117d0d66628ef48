// SPDX-License-Identifier: Apache-2.0
// vgather  dst = the element of a at byte scalar + b, for each offset of b.   Ascend C: Gather
MOVE(vgather, half, bfloat16_t, float, int16_t, uint16_t, int32_t, uint32_t)
