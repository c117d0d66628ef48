// SPDX-License-Identifier: Apache-2.0
// Of both operators: the folder of the first one has it.
#ifndef EDGE_COMMON_H
#define EDGE_COMMON_H
#include "kernel_operator.h"

template <typename T, bool isFloor> class KernelEdge {
  public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t total, float edge) {
        length = total;
        limit = static_cast<T>(edge);
        xGm.SetGlobalBuffer((__gm__ T*)x, length);
        yGm.SetGlobalBuffer((__gm__ T*)y, length);
        pipe.InitBuffer(inQueue, 1, (length * sizeof(T) + 31) / 32 * 32);
        pipe.InitBuffer(outQueue, 1, (length * sizeof(T) + 31) / 32 * 32);
    }
    __aicore__ inline void Process() {
        CopyIn();
        Compute();
        CopyOut();
    }

  private:
    __aicore__ inline void CopyIn() {
        AscendC::LocalTensor<T> local = inQueue.template AllocTensor<T>();
        AscendC::DataCopyPad(local, xGm, AscendC::DataCopyExtParams(1, length * sizeof(T), 0, 0, 0), AscendC::DataCopyPadExtParams<T>());
        inQueue.EnQue(local);
    }
    __aicore__ inline void Compute() {
        AscendC::LocalTensor<T> in = inQueue.template DeQue<T>();
        AscendC::LocalTensor<T> out = outQueue.template AllocTensor<T>();
        if constexpr (isFloor) AscendC::Maxs(out, in, limit, length);
        else AscendC::Mins(out, in, limit, length);
        outQueue.EnQue(out);
        inQueue.FreeTensor(in);
    }
    __aicore__ inline void CopyOut() {
        AscendC::LocalTensor<T> out = outQueue.template DeQue<T>();
        AscendC::DataCopyPad(yGm, out, AscendC::DataCopyExtParams(1, length * sizeof(T), 0, 0, 0));
        outQueue.FreeTensor(out);
    }

    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::QuePosition::VECIN, 1> inQueue;
    AscendC::TQue<AscendC::QuePosition::VECOUT, 1> outQueue;
    AscendC::GlobalTensor<T> xGm, yGm;
    uint32_t length;
    T limit;
};
#endif
