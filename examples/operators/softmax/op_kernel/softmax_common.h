// SPDX-License-Identifier: Apache-2.0
// What the kernels of softmax.cpp share: rows in and out of UB, tensors as floats.
#pragma once
#include "kernel_operator.h"
#include "softmax_tiling.h"
using namespace AscendC;

constexpr uint32_t kBlockBytes = 32;
constexpr uint32_t kBlockFloats = kBlockBytes / sizeof(float);
constexpr uint32_t kRepeatFloats = 64;
constexpr float kLowest = -3.40282347e+38f;

using InQueue = TQue<TPosition::VECIN, 1>;
using OutQueue = TQue<TPosition::VECOUT, 1>;
using Scratch = TBuf<TPosition::VECCALC>;

template <typename T> constexpr bool kWiden = !std::is_same_v<T, float>;

// Rows lie one behind the other in global memory; in UB each starts at a block of 32 bytes.
template <typename T> __aicore__ inline void Load(InQueue& queue, const GlobalTensor<T>& from, uint32_t rows, uint32_t columns) {
    const LocalTensor<T> local = queue.template AllocTensor<T>();
    DataCopyPad(local, from, DataCopyExtParams(rows, columns * sizeof(T), 0, 0, 0), DataCopyPadExtParams<T>());
    queue.EnQue(local);
}

template <typename T> __aicore__ inline void Store(OutQueue& queue, const GlobalTensor<T>& to, uint32_t rows, uint32_t columns) {
    const LocalTensor<T> local = queue.template DeQue<T>();
    DataCopyPad(to, local, DataCopyExtParams(rows, columns * sizeof(T), 0, 0, 0));
    queue.FreeTensor(local);
}

// A tensor as floats: itself, or the buffer that stands for it.
template <typename T> __aicore__ inline LocalTensor<float> Floats(const LocalTensor<T>& tensor, const Scratch& buffer) {
    if constexpr (kWiden<T>) return buffer.Get<float>();
    else return tensor;
}

template <typename T> __aicore__ inline LocalTensor<float> Widened(const LocalTensor<T>& tensor, const Scratch& buffer, uint32_t count) {
    const LocalTensor<float> floats = Floats(tensor, buffer);
    if constexpr (kWiden<T>) Cast(floats, tensor, RoundMode::CAST_NONE, count);
    return floats;
}

__aicore__ inline uint32_t ReduceBytes(uint32_t count) { return CeilDivision(count, kRepeatFloats) * 2 * sizeof(float); }
