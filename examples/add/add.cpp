// SPDX-License-Identifier: Apache-2.0
// z = x + y. Every block takes an equal share of the vectors and works through it tile by tile. The queues hold two buffers each:
// while the vector unit adds one tile, MTE2 fetches the next one and MTE3 stores the one before.
//
// The element type is chosen when the kernel is built: -D DTYPE_X=float.
#include "kernel_operator.h"

#ifndef DTYPE_X
#define DTYPE_X half
#endif

constexpr int32_t kDepth = 1;   // a tensor is taken out of a queue before the next goes in
constexpr uint8_t kBuffers = 2; // two buffers: copy and compute overlap
constexpr uint32_t kTile = 256; // elements

template <typename T> class KernelAdd {
  public:
    __aicore__ inline KernelAdd() {}

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t length) {
        share = length / AscendC::GetBlockNum();
        const uint64_t begin = share * AscendC::GetBlockIdx();
        xGm.SetGlobalBuffer((__gm__ T*)x + begin, share);
        yGm.SetGlobalBuffer((__gm__ T*)y + begin, share);
        zGm.SetGlobalBuffer((__gm__ T*)z + begin, share);
        pipe.InitBuffer(xQueue, kBuffers, kTile * sizeof(T));
        pipe.InitBuffer(yQueue, kBuffers, kTile * sizeof(T));
        pipe.InitBuffer(zQueue, kBuffers, kTile * sizeof(T));
    }

    __aicore__ inline void Process() {
        for (uint32_t offset = 0; offset < share; offset += kTile) {
            CopyIn(offset);
            Compute();
            CopyOut(offset);
        }
    }

  private:
    __aicore__ inline void CopyIn(uint32_t offset) {
        AscendC::LocalTensor<T> x = xQueue.template AllocTensor<T>();
        AscendC::LocalTensor<T> y = yQueue.template AllocTensor<T>();
        AscendC::DataCopy(x, xGm[offset], kTile);
        AscendC::DataCopy(y, yGm[offset], kTile);
        xQueue.EnQue(x);
        yQueue.EnQue(y);
    }

    __aicore__ inline void Compute() {
        AscendC::LocalTensor<T> x = xQueue.template DeQue<T>();
        AscendC::LocalTensor<T> y = yQueue.template DeQue<T>();
        AscendC::LocalTensor<T> z = zQueue.template AllocTensor<T>();
        AscendC::Add(z, x, y, kTile);
        zQueue.EnQue(z);
        xQueue.FreeTensor(x);
        yQueue.FreeTensor(y);
    }

    __aicore__ inline void CopyOut(uint32_t offset) {
        AscendC::LocalTensor<T> z = zQueue.template DeQue<T>();
        AscendC::DataCopy(zGm[offset], z, kTile);
        zQueue.FreeTensor(z);
    }

    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::TPosition::VECIN, kDepth> xQueue, yQueue;
    AscendC::TQue<AscendC::TPosition::VECOUT, kDepth> zQueue;
    AscendC::GlobalTensor<T> xGm, yGm, zGm;
    uint32_t share = 0; // elements of this block
};

// length: elements of each vector, a multiple of the tile times the number of blocks.
extern "C" __global__ __aicore__ void add_custom(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t length) {
    KernelAdd<DTYPE_X> add;
    add.Init(x, y, z, length);
    add.Process();
}
