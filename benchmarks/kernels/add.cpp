// SPDX-License-Identifier: Apache-2.0
// Elementwise add with queues: total elements over all blocks, tile elements at a time.
#include "kernel_operator.h"
using namespace AscendC;

template <class T> class KernelAdd {
  public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t total, uint32_t tile) {
        length = total / GetBlockNum();
        this->tile = tile;
        xGm.SetGlobalBuffer((__gm__ T*)x + length * GetBlockIdx(), length);
        yGm.SetGlobalBuffer((__gm__ T*)y + length * GetBlockIdx(), length);
        zGm.SetGlobalBuffer((__gm__ T*)z + length * GetBlockIdx(), length);
        pipe.InitBuffer(inQueueX, 2, tile * sizeof(T));
        pipe.InitBuffer(inQueueY, 2, tile * sizeof(T));
        pipe.InitBuffer(outQueueZ, 2, tile * sizeof(T));
    }
    __aicore__ inline void Process() {
        for (uint32_t i = 0; i < length / tile; i++) {
            CopyIn(i);
            Compute();
            CopyOut(i);
        }
    }

  private:
    __aicore__ inline void CopyIn(uint32_t i) {
        LocalTensor<T> x = inQueueX.template AllocTensor<T>();
        LocalTensor<T> y = inQueueY.template AllocTensor<T>();
        DataCopy(x, xGm[i * tile], tile);
        DataCopy(y, yGm[i * tile], tile);
        inQueueX.EnQue(x);
        inQueueY.EnQue(y);
    }
    __aicore__ inline void Compute() {
        LocalTensor<T> x = inQueueX.template DeQue<T>();
        LocalTensor<T> y = inQueueY.template DeQue<T>();
        LocalTensor<T> z = outQueueZ.template AllocTensor<T>();
        Add(z, x, y, tile);
        outQueueZ.template EnQue<T>(z);
        inQueueX.FreeTensor(x);
        inQueueY.FreeTensor(y);
    }
    __aicore__ inline void CopyOut(uint32_t i) {
        LocalTensor<T> z = outQueueZ.template DeQue<T>();
        DataCopy(zGm[i * tile], z, tile);
        outQueueZ.FreeTensor(z);
    }
    TPipe pipe;
    TQue<TPosition::VECIN, 2> inQueueX, inQueueY;
    TQue<TPosition::VECOUT, 2> outQueueZ;
    GlobalTensor<T> xGm, yGm, zGm;
    uint32_t length, tile;
};

extern "C" __global__ __aicore__ void add_float(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t total, uint32_t tile) {
    KernelAdd<float> op;
    op.Init(x, y, z, total, tile);
    op.Process();
}

extern "C" __global__ __aicore__ void add_half(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t total, uint32_t tile) {
    KernelAdd<half> op;
    op.Init(x, y, z, total, tile);
    op.Process();
}
