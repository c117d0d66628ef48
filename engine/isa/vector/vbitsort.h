// SPDX-License-Identifier: Apache-2.0
// vbitsort  32 scores of a with their indices of b as pairs, greatest first, equal ones as they were.   Ascend C: Sort32
MOVE(vbitsort, half, float)
