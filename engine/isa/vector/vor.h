// SPDX-License-Identifier: Apache-2.0
// vor  dst = a | b, bit by bit                                    Ascend C: Or
BINARY(vor, wrapping<int16_t>, wrapping<uint16_t>) { return a | b; }
