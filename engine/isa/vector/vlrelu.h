// SPDX-License-Identifier: Apache-2.0
// vlrelu  dst = a where a >= 0, else a * s                         Ascend C: LeakyRelu
SCALAR_LANE(vlrelu, half, float) { return a >= 0 ? a : a * s; }
