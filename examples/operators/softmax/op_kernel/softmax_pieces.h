// SPDX-License-Identifier: Apache-2.0
// Rows that are cut into pieces: PartialPieces first, CombineRows next, NormalizePieces last.
#pragma once
#include "softmax_common.h"

// Where the pieces of the rows are, in x and y and in the workspace.
struct Pieces {
    __aicore__ inline Pieces(GM_ADDR workspace, const SoftmaxTiling& tiling) : tiling(tiling) {
        perRow = CeilDivision(tiling.columns, tiling.tileColumns);
        count = static_cast<uint64_t>(tiling.rows) * perRow;
        const uint64_t padded = (count + kBlockFloats - 1) / kBlockFloats * kBlockFloats;
        __gm__ float* floats = (__gm__ float*)GetUserWorkspace(workspace);
        maxima.SetGlobalBuffer(floats, count);
        sums.SetGlobalBuffer(floats + padded, count);
        rowStats.SetGlobalBuffer(floats + 2 * padded, static_cast<uint64_t>(tiling.rows) * kBlockFloats);
    }
    __aicore__ inline uint64_t Row(uint64_t piece) const { return piece / perRow; }
    __aicore__ inline uint32_t Column(uint64_t piece) const { return piece % perRow * tiling.tileColumns; }
    __aicore__ inline uint64_t Offset(uint64_t piece) const { return Row(piece) * tiling.columns + Column(piece); }
    __aicore__ inline uint32_t Size(uint64_t piece) const { return min(tiling.tileColumns, tiling.columns - Column(piece)); }

    const SoftmaxTiling& tiling;
    uint32_t perRow = 0;
    uint64_t count = 0;
    GlobalTensor<float> maxima, sums, rowStats;
};

template <typename T> class PartialPieces {
  public:
    __aicore__ inline PartialPieces(GM_ADDR x, GM_ADDR workspace, const SoftmaxTiling& tiling) : pieces(workspace, tiling) {
        xGm.SetGlobalBuffer((__gm__ T*)x, static_cast<uint64_t>(tiling.rows) * tiling.columns);
        pipe.InitBuffer(inQueue, 2, tiling.tileColumns * sizeof(T));
        pipe.InitBuffer(maxQueue, 2, kBlockBytes);
        pipe.InitBuffer(sumQueue, 2, kBlockBytes);
        if constexpr (kWiden<T>) pipe.InitBuffer(floatBuffer, tiling.tileColumns * sizeof(float));
        pipe.InitBuffer(reduceBuffer, ReduceBytes(tiling.tileColumns));
    }

    __aicore__ inline void Process() {
        for (uint64_t piece = GetBlockIdx(); piece < pieces.count; piece += GetBlockNum()) {
            Load(inQueue, xGm[pieces.Offset(piece)], 1, pieces.Size(piece));
            Compute(pieces.Size(piece));
            Store(maxQueue, pieces.maxima[piece], 1, 1);
            Store(sumQueue, pieces.sums[piece], 1, 1);
        }
    }

  private:
    __aicore__ inline void Compute(uint32_t count) {
        const LocalTensor<T> x = inQueue.DeQue<T>();
        const LocalTensor<float> xs = Widened(x, floatBuffer, count), scratch = reduceBuffer.Get<float>();
        const LocalTensor<float> largest = maxQueue.AllocTensor<float>(), sum = sumQueue.AllocTensor<float>();
        ReduceMax(largest, xs, scratch, count);
        Maxs(largest, largest, kLowest, 1); // a piece of nothing but -inf adds 0 to its row, and not exp(-inf + inf)
        Adds(xs, xs, -largest.GetValue(0), count);
        Exp(xs, xs, count);
        ReduceSum(sum, xs, scratch, count);
        inQueue.FreeTensor(x);
        maxQueue.EnQue(largest);
        sumQueue.EnQue(sum);
    }

    Pieces pieces;
    TPipe pipe;
    InQueue inQueue;
    OutQueue maxQueue, sumQueue;
    Scratch floatBuffer, reduceBuffer;
    GlobalTensor<T> xGm;
};

class CombineRows {
  public:
    __aicore__ inline CombineRows(GM_ADDR workspace, const SoftmaxTiling& tiling) : pieces(workspace, tiling) {
        pipe.InitBuffer(maxQueue, 1, pieces.perRow * sizeof(float));
        pipe.InitBuffer(sumQueue, 1, pieces.perRow * sizeof(float));
        pipe.InitBuffer(rowQueue, 2, kBlockBytes);
        pipe.InitBuffer(reduceBuffer, ReduceBytes(pieces.perRow));
        pipe.InitBuffer(statBuffer, kBlockBytes);
    }

    __aicore__ inline void Process() {
        for (uint64_t row = GetBlockIdx(); row < pieces.tiling.rows; row += GetBlockNum()) {
            Load(maxQueue, pieces.maxima[row * pieces.perRow], 1, pieces.perRow);
            Load(sumQueue, pieces.sums[row * pieces.perRow], 1, pieces.perRow);
            Compute(pieces.perRow);
            Store(rowQueue, pieces.rowStats[row * kBlockFloats], 1, 2);
        }
    }

  private:
    __aicore__ inline void Compute(uint32_t count) {
        const LocalTensor<float> maxima = maxQueue.DeQue<float>(), sums = sumQueue.DeQue<float>();
        const LocalTensor<float> stat = statBuffer.Get<float>(), scratch = reduceBuffer.Get<float>();
        ReduceMax(stat, maxima, scratch, count);
        const float largest = stat.GetValue(0);
        Adds(maxima, maxima, -largest, count);
        Exp(maxima, maxima, count);
        Mul(sums, sums, maxima, count);
        ReduceSum(stat, sums, scratch, count);
        const float scale = 1.0f / stat.GetValue(0);
        maxQueue.FreeTensor(maxima);
        sumQueue.FreeTensor(sums);
        const LocalTensor<float> row = rowQueue.AllocTensor<float>();
        Duplicate(row, scale, kBlockFloats);
        Duplicate(row, largest, 1);
        rowQueue.EnQue(row);
    }

    Pieces pieces;
    TPipe pipe;
    InQueue maxQueue, sumQueue;
    OutQueue rowQueue;
    Scratch reduceBuffer, statBuffer;
};

template <typename T> class NormalizePieces {
  public:
    __aicore__ inline NormalizePieces(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, const SoftmaxTiling& tiling) : pieces(workspace, tiling) {
        const uint64_t size = static_cast<uint64_t>(tiling.rows) * tiling.columns;
        xGm.SetGlobalBuffer((__gm__ T*)x, size);
        yGm.SetGlobalBuffer((__gm__ T*)y, size);
        pipe.InitBuffer(inQueue, 2, tiling.tileColumns * sizeof(T));
        pipe.InitBuffer(outQueue, 2, tiling.tileColumns * sizeof(T));
        pipe.InitBuffer(rowQueue, 2, kBlockBytes);
        if constexpr (kWiden<T>) pipe.InitBuffer(floatBuffer, tiling.tileColumns * sizeof(float));
    }

    __aicore__ inline void Process() {
        for (uint64_t piece = GetBlockIdx(); piece < pieces.count; piece += GetBlockNum()) {
            Load(rowQueue, pieces.rowStats[pieces.Row(piece) * kBlockFloats], 1, 2);
            Load(inQueue, xGm[pieces.Offset(piece)], 1, pieces.Size(piece));
            Compute(pieces.Size(piece));
            Store(outQueue, yGm[pieces.Offset(piece)], 1, pieces.Size(piece));
        }
    }

  private:
    __aicore__ inline void Compute(uint32_t count) {
        const LocalTensor<float> row = rowQueue.DeQue<float>();
        const LocalTensor<T> x = inQueue.DeQue<T>(), y = outQueue.AllocTensor<T>();
        const LocalTensor<float> xs = Widened(x, floatBuffer, count), ys = Floats(y, floatBuffer);
        Adds(ys, xs, -row.GetValue(0), count);
        Exp(ys, ys, count);
        Muls(ys, ys, row.GetValue(1), count);
        if constexpr (kWiden<T>) Cast(y, ys, RoundMode::CAST_RINT, count);
        rowQueue.FreeTensor(row);
        inQueue.FreeTensor(x);
        outQueue.EnQue(y);
    }

    Pieces pieces;
    TPipe pipe;
    InQueue inQueue, rowQueue;
    OutQueue outQueue;
    Scratch floatBuffer;
    GlobalTensor<T> xGm, yGm;
};
