// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"

using namespace AscendC;
constexpr int32_t BUFFER_NUM = 2;

template <typename T> class KernelScaleShift {
  public:
    __aicore__ inline KernelScaleShift() {}
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t totalLength, uint32_t tileLength, int32_t scale, int32_t shift) {
        this->totalLength = totalLength;
        this->tileLength = tileLength;
        this->scale = static_cast<T>(scale);
        this->shift = static_cast<T>(shift);
        xGm.SetGlobalBuffer((__gm__ T*)x, totalLength);
        yGm.SetGlobalBuffer((__gm__ T*)y, totalLength);
        pipe.InitBuffer(inQueueX, BUFFER_NUM, tileLength * sizeof(T));
        pipe.InitBuffer(outQueueY, BUFFER_NUM, tileLength * sizeof(T));
    }
    __aicore__ inline void Process() {
        for (uint32_t at = GetBlockIdx() * tileLength; at < totalLength; at += GetBlockNum() * tileLength) {
            const uint32_t length = at + tileLength < totalLength ? tileLength : totalLength - at;
            CopyIn(at, length);
            Compute(length);
            CopyOut(at, length);
        }
    }

  private:
    __aicore__ inline void CopyIn(uint32_t at, uint32_t length) {
        LocalTensor<T> xLocal = inQueueX.AllocTensor<T>();
        DataCopyExtParams params{1, static_cast<uint32_t>(length * sizeof(T)), 0, 0, 0};
        DataCopyPad(xLocal, xGm[at], params, DataCopyPadExtParams<T>{false, 0, 0, 0});
        inQueueX.EnQue(xLocal);
    }
    __aicore__ inline void Compute(uint32_t length) {
        LocalTensor<T> xLocal = inQueueX.DeQue<T>();
        LocalTensor<T> yLocal = outQueueY.AllocTensor<T>();
        Muls(yLocal, xLocal, scale, length);
        Adds(yLocal, yLocal, shift, length);
        outQueueY.EnQue<T>(yLocal);
        inQueueX.FreeTensor(xLocal);
    }
    __aicore__ inline void CopyOut(uint32_t at, uint32_t length) {
        LocalTensor<T> yLocal = outQueueY.DeQue<T>();
        DataCopyExtParams params{1, static_cast<uint32_t>(length * sizeof(T)), 0, 0, 0};
        DataCopyPad(yGm[at], yLocal, params);
        outQueueY.FreeTensor(yLocal);
    }

    TPipe pipe;
    TQue<QuePosition::VECIN, BUFFER_NUM> inQueueX;
    TQue<QuePosition::VECOUT, BUFFER_NUM> outQueueY;
    GlobalTensor<T> xGm;
    GlobalTensor<T> yGm;
    uint32_t totalLength;
    uint32_t tileLength;
    T scale;
    T shift;
};

extern "C" __global__ __aicore__ void scale_shift(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    GET_TILING_DATA(tiling_data, tiling);
    KernelScaleShift<DTYPE_X> op;
    op.Init(x, y, tiling_data.totalLength, tiling_data.tileLength, tiling_data.scale, tiling_data.shift);
    op.Process();
}
