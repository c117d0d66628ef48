// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"

using namespace AscendC;

template <typename T> class KernelPerChip {
  public:
    __aicore__ inline KernelPerChip() {}
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint64_t total) {
        length = static_cast<uint32_t>(total);
        xGm.SetGlobalBuffer((__gm__ T*)x, total);
        yGm.SetGlobalBuffer((__gm__ T*)y, total);
        pipe.InitBuffer(inQueueX, 1, (length * sizeof(T) + 31) / 32 * 32);
        pipe.InitBuffer(outQueueY, 1, (length * sizeof(T) + 31) / 32 * 32);
        if constexpr (IsSameType<T, bfloat16_t>::value) pipe.InitBuffer(wide, length * sizeof(float));
    }
    __aicore__ inline void Process() {
        CopyIn();
        Compute();
        CopyOut();
    }

  private:
    __aicore__ inline void CopyIn() {
        LocalTensor<T> xLocal = inQueueX.AllocTensor<T>();
        DataCopyPad(xLocal, xGm, DataCopyExtParams(1, length * sizeof(T), 0, 0, 0), DataCopyPadExtParams<T>());
        inQueueX.EnQue(xLocal);
    }
    __aicore__ inline void Compute() {
        LocalTensor<T> xLocal = inQueueX.DeQue<T>();
        LocalTensor<T> yLocal = outQueueY.AllocTensor<T>();
        if constexpr (IsSameType<T, bfloat16_t>::value) {
            LocalTensor<float> sum = wide.Get<float>();
            Cast(sum, xLocal, RoundMode::CAST_NONE, length);
            Add(sum, sum, sum, length);
            Cast(yLocal, sum, RoundMode::CAST_RINT, length);
        } else {
            Add(yLocal, xLocal, xLocal, length);
        }
        outQueueY.EnQue<T>(yLocal);
        inQueueX.FreeTensor(xLocal);
    }
    __aicore__ inline void CopyOut() {
        LocalTensor<T> yLocal = outQueueY.DeQue<T>();
        DataCopyPad(yGm, yLocal, DataCopyExtParams(1, length * sizeof(T), 0, 0, 0));
        outQueueY.FreeTensor(yLocal);
    }

    TPipe pipe;
    TQue<QuePosition::VECIN, 1> inQueueX;
    TQue<QuePosition::VECOUT, 1> outQueueY;
    TBuf<QuePosition::VECCALC> wide;
    GlobalTensor<T> xGm, yGm;
    uint32_t length;
};

extern "C" __global__ __aicore__ void per_chip(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    GET_TILING_DATA(tilingData, tiling);
    KernelPerChip<DTYPE_X> op;
    op.Init(x, y, tilingData.total);
    op.Process();
}
