// SPDX-License-Identifier: Apache-2.0
// vadds  dst = a + s                                              Ascend C: Adds
SCALAR_LANE(vadds, half, float, int16_t, int32_t) { return a + s; }
