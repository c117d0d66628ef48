// SPDX-License-Identifier: Apache-2.0
// vgatherb  block j of dst = the 32 bytes of a at byte b[j], eight in a repeat.   Ascend C: Gatherb
MOVE(vgatherb, half, bfloat16_t, float, int16_t, uint16_t, int32_t, uint32_t)
