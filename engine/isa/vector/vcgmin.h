// SPDX-License-Identifier: Apache-2.0
// vcgmin  dst = smallest lane of each 32-byte block, 8 results a repeat.   Ascend C: BlockReduceMin
REDUCE(vcgmin, min, half, float)
