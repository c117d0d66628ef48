// SPDX-License-Identifier: Apache-2.0
// One library call over a matrix of floats: rows of 1024, tiles of eight rows, two of them on their way.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t COLUMNS = 1024, ROWS = 8, TILE = ROWS * COLUMNS;

template <class Call> class Tiles {
  public:
    __aicore__ inline Tiles(GM_ADDR x, GM_ADDR z, uint32_t rows) {
        const uint32_t own = rows / GetBlockNum() * COLUMNS;
        in_.SetGlobalBuffer((__gm__ float*)x + own * GetBlockIdx(), own);
        out_.SetGlobalBuffer((__gm__ float*)z + own * GetBlockIdx(), own);
        pipe_.InitBuffer(from_, 2, TILE * sizeof(float));
        pipe_.InitBuffer(to_, 2, TILE * sizeof(float));
        pipe_.InitBuffer(scratch_, 40 * 1024);
        pipe_.InitBuffer(numbers_, 2 * COLUMNS * sizeof(float) + 64);
        for (uint32_t at = 0; at < own; at += TILE) {
            LocalTensor<float> x = from_.AllocTensor<float>();
            DataCopy(x, in_[at], TILE);
            from_.EnQue(x);
            x = from_.DeQue<float>();
            LocalTensor<float> z = to_.AllocTensor<float>();
            Call::Run(z, x, scratch_.Get<uint8_t>(), numbers_);
            from_.FreeTensor(x);
            to_.EnQue(z);
            z = to_.DeQue<float>();
            DataCopy(out_[at], z, TILE);
            to_.FreeTensor(z);
        }
    }

  private:
    TPipe pipe_;
    TQue<TPosition::VECIN, 2> from_;
    TQue<TPosition::VECOUT, 2> to_;
    TBuf<TPosition::VECCALC> scratch_, numbers_;
    GlobalTensor<float> in_, out_;
};

struct CallSoftMax {
    template <class Buffer> __aicore__ static inline void Run(const LocalTensor<float>& z, const LocalTensor<float>& x,
                                                              const LocalTensor<uint8_t>& scratch, const Buffer&) {
        SoftMaxTiling tiling{};
        SoftMax<float>(z, x, scratch, tiling, {ROWS, COLUMNS, ROWS, COLUMNS});
    }
};
extern "C" __global__ __aicore__ void softmax(GM_ADDR x, GM_ADDR z, uint32_t rows) { Tiles<CallSoftMax> tiles(x, z, rows); }

struct CallGelu {
    template <class Buffer> __aicore__ static inline void Run(const LocalTensor<float>& z, const LocalTensor<float>& x,
                                                              const LocalTensor<uint8_t>& scratch, const Buffer&) {
        Gelu(z, x, scratch, TILE);
    }
};
extern "C" __global__ __aicore__ void gelu(GM_ADDR x, GM_ADDR z, uint32_t rows) { Tiles<CallGelu> tiles(x, z, rows); }

// gamma is 1 and beta is 0, as in torch's layer_norm without them; the call still reads both.
struct CallLayerNorm {
    template <class Buffer> __aicore__ static inline void Run(const LocalTensor<float>& z, const LocalTensor<float>& x,
                                                              const LocalTensor<uint8_t>& scratch, const Buffer& numbers) {
        const LocalTensor<float> lines = numbers.template Get<float>();
        Duplicate(lines, 1.0f, COLUMNS);
        Duplicate(lines[COLUMNS], 0.0f, COLUMNS);
        LayerNormTiling tiling{};
        tiling.bLength = 1;
        tiling.sLength = ROWS;
        tiling.hLength = tiling.originalHLength = COLUMNS;
        LayerNorm(z, lines[2 * COLUMNS], lines[2 * COLUMNS + 8], x, lines, lines[COLUMNS], scratch, 1e-5f, tiling);
    }
};
extern "C" __global__ __aicore__ void layer_norm(GM_ADDR x, GM_ADDR z, uint32_t rows) { Tiles<CallLayerNorm> tiles(x, z, rows); }
