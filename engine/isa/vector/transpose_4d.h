// SPDX-License-Identifier: Apache-2.0
// transpose_4d  NCHW to NHWC and back; what is a series of TransDataTo5HD on the chip.   Ascend C: Transpose
MOVE(transpose_4d, half, float, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t)
