// SPDX-License-Identifier: Apache-2.0
// vcpadd  dst = sum of each pair of neighbours.   Ascend C: PairReduceSum
REDUCE(vcpadd, sum, half, float)
