// SPDX-License-Identifier: Apache-2.0
// vmins  dst = the smaller of a and s, as vmin                    Ascend C: Mins
SCALAR_LANE(vmins, half, float, int16_t, int32_t) { return minimum(a, s); }
