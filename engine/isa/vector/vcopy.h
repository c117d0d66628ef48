// SPDX-License-Identifier: Apache-2.0
// vcopy  dst = a, bits unchanged, block by block with the strides of each side.   Ascend C: Copy
MOVE(vcopy, half, bfloat16_t, float, int16_t, uint16_t, int32_t, uint32_t)
