// SPDX-License-Identifier: Apache-2.0
// vmaxs  dst = the larger of a and s, as vmax                     Ascend C: Maxs
SCALAR_LANE(vmaxs, half, float, int16_t, int32_t) { return maximum(a, s); }
