// SPDX-License-Identifier: Apache-2.0
// vadd  dst = a + b, lane by lane where the mask is set.          Ascend C: Add
BINARY(vadd, half, float, int16_t, int32_t) { return a + b; }
