// SPDX-License-Identifier: Apache-2.0
// reduce_sum  dst = sum of everything selected.   Ascend C: ReduceSum
REDUCE(reduce_sum, sum, half, float)
