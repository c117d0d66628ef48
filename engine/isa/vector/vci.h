// SPDX-License-Identifier: Apache-2.0
// vci  lane i of the instruction = scalar + i, rounded once; integers wrap.   Ascend C: CreateVecIndex
DUPLICATE(vci, half, float, int16_t, int32_t)
