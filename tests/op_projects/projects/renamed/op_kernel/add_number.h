// SPDX-License-Identifier: Apache-2.0
#ifndef ADD_NUMBER_H
#define ADD_NUMBER_H
#include "kernel_operator.h"

template <typename T> class KernelAddNumber {
  public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t total) {
        params = AscendC::DataCopyExtParams(1, total * sizeof(T), 0, 0, 0);
        length = total;
        xGm.SetGlobalBuffer((__gm__ T*)x, total);
        yGm.SetGlobalBuffer((__gm__ T*)y, total);
        pipe.InitBuffer(inQueue, 1, (total * sizeof(T) + 31) / 32 * 32);
        pipe.InitBuffer(outQueue, 1, (total * sizeof(T) + 31) / 32 * 32);
    }
    __aicore__ inline void Process(T number) {
        auto in = inQueue.template AllocTensor<T>();
        AscendC::DataCopyPad(in, xGm, params, AscendC::DataCopyPadExtParams<T>());
        inQueue.EnQue(in);
        in = inQueue.template DeQue<T>();
        auto out = outQueue.template AllocTensor<T>();
        AscendC::Adds(out, in, number, length);
        outQueue.EnQue(out);
        inQueue.FreeTensor(in);
        out = outQueue.template DeQue<T>();
        AscendC::DataCopyPad(yGm, out, params);
        outQueue.FreeTensor(out);
    }

  private:
    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::QuePosition::VECIN, 1> inQueue;
    AscendC::TQue<AscendC::QuePosition::VECOUT, 1> outQueue;
    AscendC::GlobalTensor<T> xGm, yGm;
    AscendC::DataCopyExtParams params;
    uint32_t length;
};
#endif
