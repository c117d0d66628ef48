// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"

using namespace AscendC;

template <typename X, typename B> class KernelMaybeBias {
  public:
    __aicore__ inline KernelMaybeBias(const MaybeBiasTilingData& data) : tiling(data) {}
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR bias, GM_ADDR y) {
        xGm.SetGlobalBuffer((__gm__ X*)x, tiling.rows * tiling.columns);
        yGm.SetGlobalBuffer((__gm__ X*)y, tiling.rows * tiling.columns);
        const uint32_t bytes = (tiling.columns * sizeof(X) + 31) / 32 * 32;
        pipe.InitBuffer(inQueue, 2, bytes);
        pipe.InitBuffer(outQueue, 2, bytes);
        if (tiling.hasBias) {
            biasGm.SetGlobalBuffer((__gm__ B*)bias, tiling.columns);
            pipe.InitBuffer(biasQueue, 1, bytes);
        }
    }
    __aicore__ inline void Process() {
        if (tiling.hasBias) {
            biasLocal = biasQueue.template AllocTensor<B>();
            DataCopyPad(biasLocal, biasGm, {1, static_cast<uint32_t>(tiling.columns * sizeof(B)), 0, 0, 0}, DataCopyPadExtParams<B>());
            biasQueue.EnQue(biasLocal);
            biasLocal = biasQueue.template DeQue<B>();
        }
        for (uint32_t row = GetBlockIdx(); row < tiling.rows; row += GetBlockNum()) {
            CopyIn(row);
            Compute();
            CopyOut(row);
        }
        if (tiling.hasBias) biasQueue.FreeTensor(biasLocal);
    }

  private:
    __aicore__ inline DataCopyExtParams Row() const { return {1, static_cast<uint32_t>(tiling.columns * sizeof(X)), 0, 0, 0}; }
    __aicore__ inline void CopyIn(uint32_t row) {
        LocalTensor<X> local = inQueue.template AllocTensor<X>();
        DataCopyPad(local, xGm[row * tiling.columns], Row(), DataCopyPadExtParams<X>());
        inQueue.EnQue(local);
    }
    __aicore__ inline void Compute() {
        LocalTensor<X> in = inQueue.template DeQue<X>();
        LocalTensor<X> out = outQueue.template AllocTensor<X>();
        Muls(out, in, static_cast<X>(tiling.alpha), tiling.columns);
        Adds(out, out, static_cast<X>(static_cast<float>(tiling.offsets[0] + tiling.offsets[1])), tiling.columns);
        if (tiling.isRelu) Relu(out, out, tiling.columns);
        if (tiling.hasBias) Add(out, out, biasLocal, tiling.columns);
        outQueue.EnQue(out);
        inQueue.FreeTensor(in);
    }
    __aicore__ inline void CopyOut(uint32_t row) {
        LocalTensor<X> local = outQueue.template DeQue<X>();
        DataCopyPad(yGm[row * tiling.columns], local, Row());
        outQueue.FreeTensor(local);
    }

    TPipe pipe;
    TQue<QuePosition::VECIN, 2> inQueue;
    TQue<QuePosition::VECIN, 1> biasQueue;
    TQue<QuePosition::VECOUT, 2> outQueue;
    LocalTensor<B> biasLocal;
    GlobalTensor<X> xGm, yGm;
    GlobalTensor<B> biasGm;
    const MaybeBiasTilingData& tiling;
};

extern "C" __global__ __aicore__ void maybe_bias(GM_ADDR x, GM_ADDR bias, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    GET_TILING_DATA(tilingData, tiling);
    KernelMaybeBias<DTYPE_X, DTYPE_BIAS> op(tilingData);
    op.Init(x, bias, y);
    op.Process();
}
