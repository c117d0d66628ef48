// SPDX-License-Identifier: Apache-2.0
// vdiv  dst = a / b                                               Ascend C: Div
BINARY(vdiv, half, float) { return a / b; }
