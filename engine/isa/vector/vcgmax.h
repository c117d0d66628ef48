// SPDX-License-Identifier: Apache-2.0
// vcgmax  dst = largest lane of each 32-byte block, 8 results a repeat.   Ascend C: BlockReduceMax
REDUCE(vcgmax, max, half, float)
