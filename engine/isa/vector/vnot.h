// SPDX-License-Identifier: Apache-2.0
// vnot  dst = ~a, bit by bit                                      Ascend C: Not
UNARY(vnot, wrapping<int16_t>, wrapping<uint16_t>) { return ~a; }
