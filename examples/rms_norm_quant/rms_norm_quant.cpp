// SPDX-License-Identifier: Apache-2.0
// y = int8(x / sqrt(mean(x^2) + epsilon) * gamma * scale + offset) for every row of x, with gamma, scale and offset of each column: the
// library's RmsNorm, and AscendQuant behind it. The rows never leave UB in between, and both calls have the same scratch.
#include "kernel_operator.h"

using namespace AscendC;

struct Plan {                  // as in run.py
    RmsNormTiling whole, last; // of a tile, and of the last one, which may have fewer rows
    uint32_t tiles, rows, columns, scratch, buffers;
    float epsilon;
};

class NormQuant {
  public:
    __aicore__ inline NormQuant(TPipe& pipe, const Plan& plan) : plan_(plan) {
        const uint32_t tile = plan.rows * plan.columns;
        pipe.InitBuffer(in_, plan.buffers, tile * sizeof(half));
        pipe.InitBuffer(out_, plan.buffers, tile * sizeof(int8_t));
        pipe.InitBuffer(weights_, 1, 3 * plan.columns * sizeof(half)); // gamma, scale, offset
        pipe.InitBuffer(scratch_, plan.scratch);
    }

    __aicore__ inline void Run(GM_ADDR x, GM_ADDR gamma, GM_ADDR scale, GM_ADDR offset, GM_ADDR y) {
        x_.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(x));
        y_.SetGlobalBuffer(reinterpret_cast<__gm__ int8_t*>(y));
        const LocalTensor<half> weights = FetchWeights(gamma, scale, offset);
        for (uint32_t tile = GetBlockIdx(); tile < plan_.tiles; tile += GetBlockNum()) {
            const RmsNormTiling& tiling = tile + 1 < plan_.tiles ? plan_.whole : plan_.last;
            const uint32_t elements = tiling.bLength * tiling.sLength * plan_.columns;
            const uint64_t first = static_cast<uint64_t>(tile) * plan_.rows * plan_.columns;
            CopyIn(first, elements);
            Compute(tiling, weights, elements);
            CopyOut(first, elements);
        }
    }

  private:
    __aicore__ inline LocalTensor<half> FetchWeights(GM_ADDR gamma, GM_ADDR scale, GM_ADDR offset) {
        GlobalTensor<half> from;
        LocalTensor<half> weights = weights_.AllocTensor<half>();
        uint32_t at = 0;
        for (GM_ADDR each : {gamma, scale, offset}) {
            from.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(each));
            DataCopy(weights[at], from, plan_.columns);
            at += plan_.columns;
        }
        weights_.EnQue(weights);
        return weights_.DeQue<half>();
    }

    __aicore__ inline void CopyIn(uint64_t first, uint32_t elements) {
        LocalTensor<half> x = in_.AllocTensor<half>();
        DataCopy(x, x_[first], elements);
        in_.EnQue(x);
    }

    __aicore__ inline void Compute(const RmsNormTiling& tiling, const LocalTensor<half>& weights, uint32_t elements) {
        const uint32_t columns = plan_.columns;
        LocalTensor<half> x = in_.DeQue<half>();
        LocalTensor<int8_t> y = out_.AllocTensor<int8_t>();
        LocalTensor<uint8_t> scratch = scratch_.Get<uint8_t>();
        RmsNorm(x, x, weights, scratch, static_cast<half>(plan_.epsilon), tiling);
        AscendQuant(y, x, scratch, weights[columns], weights[2 * columns], columns, columns, elements);
        in_.FreeTensor(x);
        out_.EnQue(y);
    }

    __aicore__ inline void CopyOut(uint64_t first, uint32_t elements) {
        LocalTensor<int8_t> y = out_.DeQue<int8_t>();
        DataCopy(y_[first], y, elements);
        out_.FreeTensor(y);
    }

    const Plan& plan_;
    TQue<TPosition::VECIN, 1> in_, weights_;
    TQue<TPosition::VECOUT, 1> out_;
    TBuf<TPosition::VECCALC> scratch_;
    GlobalTensor<half> x_;
    GlobalTensor<int8_t> y_;
};

extern "C" __global__ __aicore__ void rms_norm_quant(GM_ADDR x, GM_ADDR gamma, GM_ADDR scale, GM_ADDR offset, GM_ADDR y, Plan plan) {
    TPipe pipe;
    NormQuant(pipe, plan).Run(x, gamma, scale, offset, y);
}
