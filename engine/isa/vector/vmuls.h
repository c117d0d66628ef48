// SPDX-License-Identifier: Apache-2.0
// vmuls  dst = a * s                                              Ascend C: Muls
SCALAR_LANE(vmuls, half, float, int16_t, int32_t) { return a * s; }
