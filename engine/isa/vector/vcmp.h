// SPDX-License-Identifier: Apache-2.0
// vcmp  one bit for each lane, least significant first: a LT, GT, EQ, LE, GE or NE b, as the mode says.   Ascend C: Compare
// A NaN on either side gives 0 in every mode, NE included. int32_t has EQ only.
COMPARE(vcmp, half, float, int32_t)
