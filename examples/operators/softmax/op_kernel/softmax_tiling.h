// SPDX-License-Identifier: Apache-2.0
// What the host tells the kernels of softmax.cpp.
#pragma once
#include <cstdint>

struct SoftmaxTiling {
    uint32_t rows;
    uint32_t columns;
    uint32_t tileRows;    // at most 4095, and 248 for narrow rows; 1 for pieces
    uint32_t tileColumns; // all columns, or those of a piece
};
