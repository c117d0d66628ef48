// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

constexpr uint32_t kLength = 256; // elements of a block

// x = x * x on `blocks` blocks of kLength elements in device memory.
void square(uint32_t blocks, void* stream, float* x);
