// SPDX-License-Identifier: Apache-2.0
// vand  dst = a & b, bit by bit                                   Ascend C: And
BINARY(vand, wrapping<int16_t>, wrapping<uint16_t>) { return a & b; }
