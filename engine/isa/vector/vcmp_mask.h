// SPDX-License-Identifier: Apache-2.0
// vcmp_mask  as vcmp for one repeat, into the compare-mask register; bits of lanes outside the mask stay.   Ascend C: Compare without dst
COMPARE(vcmp_mask, half, float, int32_t)
