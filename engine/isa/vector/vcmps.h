// SPDX-License-Identifier: Apache-2.0
// vcmps  as vcmp, with a scalar in the place of b                   Ascend C: Compares
COMPARE(vcmps, half, float, int32_t)
