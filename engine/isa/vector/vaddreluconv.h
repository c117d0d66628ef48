// SPDX-License-Identifier: Apache-2.0
// vaddreluconv  dst = a + b as AddRelu has it, then as Cast (int16_t clamps to int8_t).   Ascend C: AddReluCast
MOVE(vaddreluconv, int8_t, half)
