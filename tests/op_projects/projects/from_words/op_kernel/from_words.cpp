// SPDX-License-Identifier: Apache-2.0
#include "gain_table.h"
#include "kernel_operator.h"

template <typename T> class KernelFromWords {
  public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t total) {
        params = AscendC::DataCopyExtParams(1, total * sizeof(T), 0, 0, 0);
        length = total;
        xGm.SetGlobalBuffer((__gm__ T*)x, total);
        yGm.SetGlobalBuffer((__gm__ T*)y, total);
        pipe.InitBuffer(inQueue, 1, (total * sizeof(T) + 31) / 32 * 32);
        pipe.InitBuffer(outQueue, 1, (total * sizeof(T) + 31) / 32 * 32);
    }
    __aicore__ inline void Process(const FromWordsTilingData& data) {
        auto in = inQueue.template AllocTensor<T>();
        AscendC::DataCopyPad(in, xGm, params, AscendC::DataCopyPadExtParams<T>());
        inQueue.EnQue(in);
        in = inQueue.template DeQue<T>();
        auto out = outQueue.template AllocTensor<T>();
        AscendC::Adds(out, in, static_cast<T>(FIRST_GAIN - data.gains[0]), length);
        for (int i = 0; i < GAIN_COUNT; ++i) AscendC::Adds(out, out, static_cast<T>(data.gains[i]), length);
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

extern "C" __global__ __aicore__ void from_words(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    GET_TILING_DATA(data, tiling);
    KernelFromWords<DTYPE_X> op;
    op.Init(x, y, data.total);
    op.Process(data);
}
