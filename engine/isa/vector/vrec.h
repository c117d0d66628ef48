// SPDX-License-Identifier: Apache-2.0
// vrec  dst = 1 / a, rounded correctly, where the NPU approximates.   Ascend C: Reciprocal
UNARY(vrec, half, float) { return W{1} / a; }
