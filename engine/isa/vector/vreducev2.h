// SPDX-License-Identifier: Apache-2.0
// vreducev2  the elements of a that a pattern or the bits of b choose, one behind the other; their number stays.   Ascend C: GatherMask
MOVE(vreducev2, half, bfloat16_t, float, int16_t, uint16_t, int32_t, uint32_t)
