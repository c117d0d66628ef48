// SPDX-License-Identifier: Apache-2.0
// vcmin  dst = smallest selected lane of each repeat and its index.   Ascend C: WholeReduceMin
REDUCE(vcmin, min, half, float)
