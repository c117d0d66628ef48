// SPDX-License-Identifier: Apache-2.0
// y = (x - mean) / sqrt(variance + epsilon) * gamma + beta for every row of x, with its mean and its variance, by the library's LayerNorm.
// The AIVs take tiles of rows in turn. How many rows a tile has, what the library is told about it and how much scratch it gets are the
// host's choice.
#include "kernel_operator.h"

using namespace AscendC;

struct Plan {                    // as in run.py
    LayerNormTiling whole, last; // of a tile, and of the last one, which may have fewer rows
    uint32_t tiles, rows, columns, scratch, buffers;
    float epsilon;
};

template <typename T> class Norm {
  public:
    __aicore__ inline Norm(TPipe& pipe, const Plan& plan) : plan_(plan), numbers_((plan.rows + 15) / 16 * 16) {
        const uint32_t tile = plan.rows * plan.columns * sizeof(T);
        pipe.InitBuffer(in_, plan.buffers, tile);
        pipe.InitBuffer(out_, plan.buffers, tile);
        pipe.InitBuffer(numbersOut_, plan.buffers, 2 * numbers_ * sizeof(T)); // means, and variances behind them
        pipe.InitBuffer(weights_, 1, 2 * plan.columns * sizeof(T));           // gamma, and beta behind it
        pipe.InitBuffer(scratch_, plan.scratch);
    }

    __aicore__ inline void Run(GM_ADDR x, GM_ADDR gamma, GM_ADDR beta, GM_ADDR y, GM_ADDR mean, GM_ADDR variance) {
        x_.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(x));
        y_.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(y));
        mean_.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(mean));
        variance_.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(variance));
        const LocalTensor<T> weights = FetchWeights(gamma, beta);
        for (uint32_t tile = GetBlockIdx(); tile < plan_.tiles; tile += GetBlockNum()) {
            const LayerNormTiling& tiling = tile + 1 < plan_.tiles ? plan_.whole : plan_.last;
            const uint32_t rows = tiling.bLength * tiling.sLength;
            CopyIn(tile, rows);
            Compute(tiling, weights);
            CopyOut(tile, rows);
        }
    }

  private:
    __aicore__ inline LocalTensor<T> FetchWeights(GM_ADDR gamma, GM_ADDR beta) {
        GlobalTensor<T> from;
        LocalTensor<T> weights = weights_.template AllocTensor<T>();
        from.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(gamma));
        DataCopy(weights, from, plan_.columns);
        from.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(beta));
        DataCopy(weights[plan_.columns], from, plan_.columns);
        weights_.EnQue(weights);
        return weights_.template DeQue<T>();
    }

    __aicore__ inline void CopyIn(uint32_t tile, uint32_t rows) {
        LocalTensor<T> x = in_.template AllocTensor<T>();
        DataCopy(x, x_[static_cast<uint64_t>(tile) * plan_.rows * plan_.columns], rows * plan_.columns);
        in_.EnQue(x);
    }

    __aicore__ inline void Compute(const LayerNormTiling& tiling, const LocalTensor<T>& weights) {
        LocalTensor<T> x = in_.template DeQue<T>(), y = out_.template AllocTensor<T>(), numbers = numbersOut_.template AllocTensor<T>();
        LayerNorm(y, numbers, numbers[numbers_], x, weights, weights[plan_.columns], scratch_.template Get<uint8_t>(),
                  static_cast<T>(plan_.epsilon), tiling);
        in_.FreeTensor(x);
        out_.EnQue(y);
        numbersOut_.EnQue(numbers);
    }

    __aicore__ inline void CopyOut(uint32_t tile, uint32_t rows) {
        const uint64_t first = static_cast<uint64_t>(tile) * plan_.rows;
        LocalTensor<T> y = out_.template DeQue<T>(), numbers = numbersOut_.template DeQue<T>();
        const DataCopyExtParams packed(1, rows * sizeof(T), 0, 0, 0);
        DataCopy(y_[first * plan_.columns], y, rows * plan_.columns);
        DataCopyPad(mean_[first], numbers, packed);
        DataCopyPad(variance_[first], numbers[numbers_], packed);
        out_.FreeTensor(y);
        numbersOut_.FreeTensor(numbers);
    }

    const Plan& plan_;
    const uint32_t numbers_; // room for one number of each row
    TQue<TPosition::VECIN, 1> in_, weights_;
    TQue<TPosition::VECOUT, 1> out_, numbersOut_;
    TBuf<TPosition::VECCALC> scratch_;
    GlobalTensor<T> x_, y_, mean_, variance_;
};

extern "C" __global__ __aicore__ void layer_norm_float(GM_ADDR x, GM_ADDR gamma, GM_ADDR beta, GM_ADDR y, GM_ADDR mean, GM_ADDR variance,
                                                       Plan plan) {
    TPipe pipe;
    Norm<float>(pipe, plan).Run(x, gamma, beta, y, mean, variance);
}

extern "C" __global__ __aicore__ void layer_norm_half(GM_ADDR x, GM_ADDR gamma, GM_ADDR beta, GM_ADDR y, GM_ADDR mean, GM_ADDR variance,
                                                      Plan plan) {
    TPipe pipe;
    Norm<half>(pipe, plan).Run(x, gamma, beta, y, mean, variance);
}
