// SPDX-License-Identifier: Apache-2.0
// y[r] = exp(x[r] - max(x[r])) / sum(exp(x[r] - max(x[r]))) for every row r. A block takes every GetBlockNum()-th row. The arithmetic
// is done in float; a half row is widened on the way in and rounded once on the way out. A row may have any length that fits.
#include "kernel_operator.h"

template <typename T> class RowSoftmax {
    static constexpr bool kWiden = !std::is_same_v<T, float>;

  public:
    __aicore__ inline RowSoftmax() {}

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t rowCount, uint32_t columnCount) {
        rows = rowCount;
        columns = columnCount;
        xGm.SetGlobalBuffer((__gm__ T*)x, (uint64_t)rows * columns);
        yGm.SetGlobalBuffer((__gm__ T*)y, (uint64_t)rows * columns);
        pipe.InitBuffer(inQueue, 2, columns * sizeof(T));
        pipe.InitBuffer(outQueue, 2, columns * sizeof(T));
        pipe.InitBuffer(rowBuffer, columns * sizeof(float));
        pipe.InitBuffer(workBuffer, columns * sizeof(float));
        pipe.InitBuffer(resultBuffer, 32);
    }

    __aicore__ inline void Process() {
        for (uint32_t row = AscendC::GetBlockIdx(); row < rows; row += AscendC::GetBlockNum()) {
            CopyIn(row);
            Compute();
            CopyOut(row);
        }
    }

  private:
    __aicore__ inline void CopyIn(uint32_t row) {
        AscendC::LocalTensor<T> x = inQueue.template AllocTensor<T>();
        AscendC::DataCopyPad(x, xGm[(uint64_t)row * columns], OneRow(), AscendC::DataCopyPadExtParams<T>());
        inQueue.EnQue(x);
    }

    __aicore__ inline void Compute() {
        AscendC::LocalTensor<T> x = inQueue.template DeQue<T>();
        AscendC::LocalTensor<float> row = rowBuffer.Get<float>();
        AscendC::LocalTensor<float> work = workBuffer.Get<float>();
        AscendC::LocalTensor<float> result = resultBuffer.Get<float>();
        const int32_t count = columns;
        if constexpr (kWiden) {
            AscendC::Cast(row, x, AscendC::RoundMode::CAST_NONE, count);
        } else {
            AscendC::Adds(row, x, 0.0f, count);
        }
        inQueue.FreeTensor(x);

        // Subtracting the largest value keeps Exp from overflowing.
        AscendC::ReduceMax(result, row, work, count);
        AscendC::Adds(row, row, -result.GetValue(0), count);
        AscendC::Exp(row, row, count);
        AscendC::ReduceSum(result, row, work, count);
        AscendC::Muls(row, row, 1.0f / result.GetValue(0), count);

        AscendC::LocalTensor<T> y = outQueue.template AllocTensor<T>();
        if constexpr (kWiden) {
            AscendC::Cast(y, row, AscendC::RoundMode::CAST_RINT, count);
        } else {
            AscendC::Adds(y, row, 0.0f, count);
        }
        outQueue.EnQue(y);
    }

    __aicore__ inline void CopyOut(uint32_t row) {
        AscendC::LocalTensor<T> y = outQueue.template DeQue<T>();
        AscendC::DataCopyPad(yGm[(uint64_t)row * columns], y, OneRow());
        outQueue.FreeTensor(y);
    }

    __aicore__ inline AscendC::DataCopyExtParams OneRow() { return {1, static_cast<uint32_t>(columns * sizeof(T)), 0, 0, 0}; }

    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::TPosition::VECIN, 1> inQueue;
    AscendC::TQue<AscendC::TPosition::VECOUT, 1> outQueue;
    AscendC::TBuf<AscendC::TPosition::VECCALC> rowBuffer, workBuffer, resultBuffer;
    AscendC::GlobalTensor<T> xGm, yGm;
    uint32_t rows = 0, columns = 0;
};

template <typename T> __aicore__ inline void Softmax(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns) {
    RowSoftmax<T> op;
    op.Init(x, y, rows, columns);
    op.Process();
}

extern "C" __global__ __aicore__ void softmax_float(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns) {
    Softmax<float>(x, y, rows, columns);
}

extern "C" __global__ __aicore__ void softmax_half(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns) {
    Softmax<half>(x, y, rows, columns);
}
