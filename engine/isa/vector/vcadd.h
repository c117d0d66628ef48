// SPDX-License-Identifier: Apache-2.0
// vcadd  dst = sum of the selected lanes of each repeat, neighbours added level by level.   Ascend C: WholeReduceSum
REDUCE(vcadd, sum, half, float)
