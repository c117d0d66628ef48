// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"

template <typename T> class KernelOddFields {
  public:
    __aicore__ inline KernelOddFields(GM_ADDR x, GM_ADDR y, uint32_t total, AscendC::TPipe* pipe) : length(total) {
        xGm.SetGlobalBuffer((__gm__ T*)x, total);
        yGm.SetGlobalBuffer((__gm__ T*)y, total);
        pipe->InitBuffer(inQueue, 1, Bytes());
        pipe->InitBuffer(outQueue, 1, Bytes());
    }
    __aicore__ inline void Process(float factor, float sum) {
        auto in = inQueue.template AllocTensor<T>();
        AscendC::DataCopyPad(in, xGm, AscendC::DataCopyExtParams(1, length * sizeof(T), 0, 0, 0), AscendC::DataCopyPadExtParams<T>());
        inQueue.EnQue(in);
        in = inQueue.template DeQue<T>();
        auto out = outQueue.template AllocTensor<T>();
        AscendC::Muls(out, in, static_cast<T>(factor), length);
        AscendC::Adds(out, out, static_cast<T>(sum), length);
        outQueue.template EnQue<T>(out);
        inQueue.FreeTensor(in);
        out = outQueue.template DeQue<T>();
        AscendC::DataCopyPad(yGm, out, AscendC::DataCopyExtParams(1, length * sizeof(T), 0, 0, 0));
        outQueue.FreeTensor(out);
    }

  private:
    __aicore__ inline uint32_t Bytes() const { return (length * sizeof(T) + 31) / 32 * 32; }

    AscendC::TQue<AscendC::QuePosition::VECIN, 1> inQueue;
    AscendC::TQue<AscendC::QuePosition::VECOUT, 1> outQueue;
    AscendC::GlobalTensor<T> xGm, yGm;
    uint32_t length;
};

extern "C" __global__ __aicore__ void odd_fields(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    GET_TILING_DATA(data, tiling);
    AscendC::TPipe pipe;
    KernelOddFields<DTYPE_X> op(x, y, data.total, &pipe);
    float sum = static_cast<float>(data.large - (int64_t(1) << 40)) + (data.isShifted ? 1.0f : 0.0f) + data.last;
    for (int i = 0; i < 3; ++i) sum += data.added[i] ? 1.0f : 0.0f;
    sum += static_cast<float>(data.precise);
    op.Process(data.factor * static_cast<float>(data.direction) * (data.isNegative ? -1.0f : 1.0f), sum);
}
