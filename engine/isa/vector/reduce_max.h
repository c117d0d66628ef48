// SPDX-License-Identifier: Apache-2.0
// reduce_max  dst = largest of everything selected and, with mode 1, its index.   Ascend C: ReduceMax
REDUCE(reduce_max, max, half, float)
