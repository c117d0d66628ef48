// SPDX-License-Identifier: Apache-2.0
// vmrgsort  up to four sorted lists of pairs as one; of equal scores that of the earlier list first.   Ascend C: MrgSort
MOVE(vmrgsort, half, float)
