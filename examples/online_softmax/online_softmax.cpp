// SPDX-License-Identifier: Apache-2.0
// y = softmax(x) for rows that are longer than UB. The AIVs take groups of rows in turn and go along them twice, piece by piece:
// SoftmaxFlashV2 finds the maxima and the sums, SimpleSoftMax divides by them. A piece is some columns of all rows of the group.
#include "kernel_operator.h"

using namespace AscendC;

struct Plan {                    // as in run.py
    SoftMaxTiling first, simple; // of a piece, for either call
    uint32_t rows, columns, groupRows, pieceColumns, scratch, buffers;
};

__aicore__ inline uint32_t Least(uint32_t a, uint32_t b) { return a < b ? a : b; }

class LongRows {
  public:
    __aicore__ inline LongRows(TPipe& pipe, const Plan& plan) : plan_(plan), blocks_(plan.groupRows * 8) {
        const uint32_t piece = plan.groupRows * plan.pieceColumns * sizeof(float);
        pipe.InitBuffer(in_, plan.buffers, piece);
        pipe.InitBuffer(out_, plan.buffers, piece);
        pipe.InitBuffer(numbers_, 3 * blocks_ * sizeof(float)); // of each row a block: maximum, sum, and what a larger maximum makes of it
        pipe.InitBuffer(scratch_, plan.scratch);
    }

    __aicore__ inline void Run(GM_ADDR x, GM_ADDR y) {
        x_.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(x));
        y_.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(y));
        for (uint32_t row = GetBlockIdx() * plan_.groupRows; row < plan_.rows; row += GetBlockNum() * plan_.groupRows) {
            for (uint32_t column = 0; column < plan_.columns; column += plan_.pieceColumns) Reduce(row, column);
            for (uint32_t column = 0; column < plan_.columns; column += plan_.pieceColumns) Divide(row, column);
        }
    }

  private:
    // What of a piece is there: at the last rows and the last columns less.
    __aicore__ inline SoftMaxShapeInfo Shape(uint32_t row, uint32_t column) const {
        return {plan_.groupRows, plan_.pieceColumns, Least(plan_.groupRows, plan_.rows - row),
                Least(plan_.pieceColumns, plan_.columns - column)};
    }

    __aicore__ inline LocalTensor<float> Fetch(uint32_t row, uint32_t column, const SoftMaxShapeInfo& shape) {
        LocalTensor<float> x = in_.AllocTensor<float>();
        const uint32_t gap = (plan_.pieceColumns - shape.oriSrcK) / 8; // blocks behind a row of a narrow piece
        DataCopyPad(x, x_[static_cast<uint64_t>(row) * plan_.columns + column],
                    DataCopyExtParams(static_cast<uint16_t>(shape.oriSrcM), shape.oriSrcK * sizeof(float),
                                      (plan_.columns - shape.oriSrcK) * sizeof(float), gap, 0),
                    DataCopyPadExtParams<float>());
        in_.EnQue(x);
        return in_.DeQue<float>();
    }

    __aicore__ inline void Reduce(uint32_t row, uint32_t column) {
        const SoftMaxShapeInfo shape = Shape(row, column);
        LocalTensor<float> x = Fetch(row, column, shape);
        LocalTensor<float> max = numbers_.Get<float>(), sum = max[blocks_], factor = max[2 * blocks_];
        LocalTensor<uint8_t> scratch = scratch_.Get<uint8_t>();
        if (column == 0) SoftmaxFlashV2<float, false>(x, sum, max, x, factor, sum, max, scratch, plan_.first, shape);
        else SoftmaxFlashV2<float, true>(x, sum, max, x, factor, sum, max, scratch, plan_.first, shape);
        in_.FreeTensor(x);
    }

    __aicore__ inline void Divide(uint32_t row, uint32_t column) {
        const SoftMaxShapeInfo shape = Shape(row, column);
        LocalTensor<float> x = Fetch(row, column, shape), y = out_.AllocTensor<float>();
        LocalTensor<float> max = numbers_.Get<float>(), sum = max[blocks_];
        SimpleSoftMax(y, sum, max, x, scratch_.Get<uint8_t>(), plan_.simple, shape);
        in_.FreeTensor(x);
        out_.EnQue(y);

        y = out_.DeQue<float>();
        const uint32_t gap = (plan_.pieceColumns - shape.oriSrcK) / 8;
        DataCopyPad(y_[static_cast<uint64_t>(row) * plan_.columns + column], y,
                    DataCopyExtParams(static_cast<uint16_t>(shape.oriSrcM), shape.oriSrcK * sizeof(float), gap,
                                      (plan_.columns - shape.oriSrcK) * sizeof(float), 0));
        out_.FreeTensor(y);
    }

    const Plan& plan_;
    const uint32_t blocks_; // floats in a block for each row
    TQue<TPosition::VECIN, 1> in_;
    TQue<TPosition::VECOUT, 1> out_;
    TBuf<TPosition::VECCALC> numbers_, scratch_;
    GlobalTensor<float> x_, y_;
};

extern "C" __global__ __aicore__ void online_softmax(GM_ADDR x, GM_ADDR y, Plan plan) {
    TPipe pipe;
    LongRows(pipe, plan).Run(x, y);
}
