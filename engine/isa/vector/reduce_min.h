// SPDX-License-Identifier: Apache-2.0
// reduce_min  dst = smallest of everything selected and, with mode 1, its index.   Ascend C: ReduceMin
REDUCE(reduce_min, min, half, float)
