// SPDX-License-Identifier: Apache-2.0
// vmaddrelu  dst = max(a * dst + b, 0)                             Ascend C: MulAddRelu
ACCUMULATE(vmaddrelu, half, float) { return maximum(a * d + b, W{0}); }
