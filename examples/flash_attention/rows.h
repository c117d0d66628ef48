// SPDX-License-Identifier: Apache-2.0
// Float matrices in UB, row by row. A number for each row is spread by Brcb to eight, the 32 bytes of a block; an operand whose blocks lie
// 0 apart then reads it 64 times in one repeat.
#pragma once
#include "kernel_operator.h"

namespace rows {

using namespace AscendC;

constexpr int32_t kLanes = 64, kBlock = 8; // floats of one repeat, and of 32 bytes

struct Size {
    int32_t rows, columns; // multiples of 8 and 64
    __aicore__ inline uint8_t Pitch() const { return static_cast<uint8_t>(columns / kBlock); }
};

__aicore__ inline void Spread(const LocalTensor<float>& spread, const LocalTensor<float>& numbers, int32_t count) {
    Brcb(spread, numbers, count / kBlock, {1, kBlock});
}

// matrix = matrix * factor + addend, both spread
__aicore__ inline void MulAdd(const LocalTensor<float>& matrix, Size size, const LocalTensor<float>& factor,
                              const LocalTensor<float>& addend) {
    for (int32_t column = 0; column < size.columns; column += kLanes)
        FusedMulAdd(matrix[column], factor, addend, kLanes, size.rows, BinaryRepeatParams(1, 0, 0, size.Pitch(), 1, 1));
}
// matrix = matrix * factor + other, the factor spread
__aicore__ inline void MulAddMatrix(const LocalTensor<float>& matrix, Size size, const LocalTensor<float>& factor,
                                    const LocalTensor<float>& other) {
    const BinaryRepeatParams params(1, 0, 1, size.Pitch(), 1, size.Pitch());
    for (int32_t column = 0; column < size.columns; column += kLanes)
        FusedMulAdd(matrix[column], factor, other[column], kLanes, size.rows, params);
}
// matrix = matrix / divisor, which is spread
__aicore__ inline void Divide(const LocalTensor<float>& matrix, Size size, const LocalTensor<float>& divisor) {
    const BinaryRepeatParams params(1, 1, 0, size.Pitch(), size.Pitch(), 1);
    for (int32_t column = 0; column < size.columns; column += kLanes)
        Div(matrix[column], matrix[column], divisor, kLanes, size.rows, params);
}

// The largest number or the sum of each row. All columns are folded to 64 first: a repeat of Max or Add costs less than one of a reduction.
template <bool kMax> __aicore__ inline void Reduce(const LocalTensor<float>& numbers, const LocalTensor<float>& matrix, Size size,
                                                   const LocalTensor<float>& folded) {
    for (int32_t column = kLanes; column < size.columns; column += kLanes) {
        const bool first = column == kLanes;
        const BinaryRepeatParams params(1, 1, 1, kBlock, first ? size.Pitch() : kBlock, size.Pitch());
        if constexpr (kMax) Max(folded, first ? matrix : folded, matrix[column], kLanes, size.rows, params);
        else Add(folded, first ? matrix : folded, matrix[column], kLanes, size.rows, params);
    }
    if constexpr (kMax) WholeReduceMax(numbers, folded, kLanes, size.rows, 1, 1, kBlock, ReduceOrder::ORDER_ONLY_VALUE);
    else WholeReduceSum(numbers, folded, kLanes, size.rows, 1, 1, kBlock);
}

// From a column on, everything is `value`.
__aicore__ inline void Fill(const LocalTensor<float>& matrix, Size size, int32_t from, float value) {
    for (int32_t column = from / kLanes * kLanes; column < size.columns; column += kLanes) {
        const uint64_t mask[2] = {~uint64_t{0} << (from > column ? from - column : 0), 0};
        Duplicate(matrix[column], value, mask, size.rows, 1, size.Pitch());
    }
}

} // namespace rows
