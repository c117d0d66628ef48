// SPDX-License-Identifier: Apache-2.0
// vdeq  dst = a * scale + offset, to nearest even, clamped; into one half of each block.   Ascend C: CastDequant
MOVE(vdeq, int8_t, uint8_t)
