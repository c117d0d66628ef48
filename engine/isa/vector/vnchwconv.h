// SPDX-License-Identifier: Apache-2.0
// vnchwconv  16 blocks of 32 bytes, transposed.   Ascend C: TransDataTo5HD
MOVE(vnchwconv, half, float, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t)
