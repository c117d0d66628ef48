// SPDX-License-Identifier: Apache-2.0
// vcmax  dst = largest selected lane of each repeat and its index.   Ascend C: WholeReduceMax
REDUCE(vcmax, max, half, float)
