// SPDX-License-Identifier: Apache-2.0
// vsubreluconv  dst = a - b as SubRelu has it, then as Cast (int16_t clamps to int8_t).   Ascend C: SubReluCast
MOVE(vsubreluconv, int8_t, half)
