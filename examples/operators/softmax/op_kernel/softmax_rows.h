// SPDX-License-Identifier: Apache-2.0
// Rows that fit into UB: row by row, or, for narrow rows, all rows of a tile at once.
#pragma once
#include "softmax_common.h"

template <typename T> class RowSoftmax {
  public:
    __aicore__ inline RowSoftmax(GM_ADDR x, GM_ADDR y, const SoftmaxTiling& tiling) : tiling(tiling) {
        const uint64_t size = static_cast<uint64_t>(tiling.rows) * tiling.columns;
        xGm.SetGlobalBuffer((__gm__ T*)x, size);
        yGm.SetGlobalBuffer((__gm__ T*)y, size);
        width = AlignUp(tiling.columns, kBlockBytes / sizeof(T));
        const uint32_t area = tiling.tileRows * width;
        pipe.InitBuffer(inQueue, 2, area * sizeof(T));
        pipe.InitBuffer(outQueue, 2, area * sizeof(T));
        if constexpr (kWiden<T>) pipe.InitBuffer(floatBuffer, area * sizeof(float));
        pipe.InitBuffer(reduceBuffer, ReduceBytes(width));
        pipe.InitBuffer(statBuffer, tiling.tileRows * sizeof(float));
        pipe.InitBuffer(spreadBuffer, AlignUp(tiling.tileRows, kBlockFloats) * kBlockBytes);
    }

    template <bool narrow> __aicore__ inline void Process() {
        Duplicate(statBuffer.Get<float>(), 0.0f, AlignUp(tiling.tileRows, kBlockFloats));
        const uint32_t tiles = CeilDivision(tiling.rows, tiling.tileRows);
        for (uint32_t tile = GetBlockIdx(); tile < tiles; tile += GetBlockNum()) {
            const uint32_t row = tile * tiling.tileRows, rows = min(tiling.tileRows, tiling.rows - row);
            const uint64_t offset = static_cast<uint64_t>(row) * tiling.columns;
            Load(inQueue, xGm[offset], rows, tiling.columns);
            Compute<narrow>(rows);
            Store(outQueue, yGm[offset], rows, tiling.columns);
        }
    }

  private:
    template <bool narrow> __aicore__ inline void Compute(uint32_t rows) {
        const LocalTensor<T> x = inQueue.DeQue<T>(), y = outQueue.AllocTensor<T>();
        const LocalTensor<float> xs = Widened(x, floatBuffer, rows * width), ys = Floats(y, floatBuffer);
        if constexpr (narrow) {
            AllRows(ys, xs, rows);
        } else {
            for (uint32_t row = 0; row < rows; ++row) OneRow(ys[row * width], xs[row * width]);
        }
        if constexpr (kWiden<T>) Cast(y, ys, RoundMode::CAST_RINT, rows * width);
        inQueue.FreeTensor(x);
        outQueue.EnQue(y);
    }

    __aicore__ inline void OneRow(const LocalTensor<float>& ys, const LocalTensor<float>& xs) {
        const LocalTensor<float> stat = statBuffer.Get<float>(), scratch = reduceBuffer.Get<float>();
        ReduceMax(stat, xs, scratch, tiling.columns);
        Adds(ys, xs, -stat.GetValue(0), tiling.columns);
        Exp(ys, ys, tiling.columns);
        ReduceSum(stat, ys, scratch, tiling.columns);
        Muls(ys, ys, 1.0f / stat.GetValue(0), tiling.columns);
    }

    // A repeat is a row. Its maximum, and later its sum, is spread over a block, which then serves all blocks of the row.
    __aicore__ inline void AllRows(const LocalTensor<float>& ys, const LocalTensor<float>& xs, uint32_t rows) {
        const uint8_t stride = width / kBlockFloats;
        const uint64_t mask = tiling.columns;
        const BinaryRepeatParams rowAndBlock(1, 1, 0, stride, stride, 1);
        const LocalTensor<float> stat = statBuffer.Get<float>(), spread = spreadBuffer.Get<float>();
        WholeReduceMax(stat, xs, mask, rows, 1, 1, stride, ReduceOrder::ORDER_ONLY_VALUE);
        Brcb(spread, stat, CeilDivision(rows, 8), BrcbRepeatParams(1, 8));
        Sub(ys, xs, spread, mask, rows, rowAndBlock);
        Exp(ys, ys, mask, rows, UnaryRepeatParams(1, 1, stride, stride));
        WholeReduceSum(stat, ys, mask, rows, 1, 1, stride);
        Brcb(spread, stat, CeilDivision(rows, 8), BrcbRepeatParams(1, 8));
        Div(ys, ys, spread, mask, rows, rowAndBlock);
        ResetMask();
    }

    const SoftmaxTiling& tiling;
    uint32_t width = 0; // columns of a row in UB
    TPipe pipe;
    InQueue inQueue;
    OutQueue outQueue;
    Scratch floatBuffer, reduceBuffer, statBuffer, spreadBuffer;
    GlobalTensor<T> xGm, yGm;
};
