// SPDX-License-Identifier: Apache-2.0
// vcgadd  dst = sum of each 32-byte block, 8 results a repeat.   Ascend C: BlockReduceSum
REDUCE(vcgadd, sum, half, float)
