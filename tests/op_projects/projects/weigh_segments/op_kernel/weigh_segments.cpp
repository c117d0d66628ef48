// SPDX-License-Identifier: Apache-2.0
// One block for each half.
#include "kernel_operator.h"

template <typename T> class KernelWeighSegments {
  public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const WeighSegmentsTilingData* __restrict tilingData) {
        tiling = tilingData;
        segment = AscendC::GetBlockIdx() == 0 ? &tilingData->first : &tilingData->second;
        xGm.SetGlobalBuffer((__gm__ T*)x, tiling->total);
        yGm.SetGlobalBuffer((__gm__ T*)y, tiling->total);
        pipe.InitBuffer(inQueue, 1, tiling->tileLength * sizeof(T));
        pipe.InitBuffer(outQueue, 1, tiling->tileLength * sizeof(T));
    }
    __aicore__ inline void Process() {
        for (uint32_t tile = 0; tile < segment->tiles; ++tile) One(tile, tiling->tileLength);
        if (segment->tail.hasTail) One(segment->tiles, segment->tail.tailLength);
    }

  private:
    __aicore__ inline void One(uint32_t tile, uint32_t length) {
        CopyIn(segment->begin + tile * tiling->tileLength, length);
        Compute(tile, length);
        CopyOut(segment->begin + tile * tiling->tileLength, length);
    }
    __aicore__ inline void CopyIn(uint32_t at, uint32_t length) {
        AscendC::LocalTensor<T> local = inQueue.template AllocTensor<T>();
        AscendC::DataCopyPad(local, xGm[at], AscendC::DataCopyExtParams(1, length * sizeof(T), 0, 0, 0),
                             AscendC::DataCopyPadExtParams<T>());
        inQueue.EnQue(local);
    }
    __aicore__ inline void Compute(uint32_t tile, uint32_t length) {
        AscendC::LocalTensor<T> xLocal = inQueue.template DeQue<T>();
        AscendC::LocalTensor<T> yLocal = outQueue.template AllocTensor<T>();
        AscendC::Muls(yLocal, xLocal, static_cast<T>(segment->sign * segment->weights[tile % 3]), length);
        AscendC::Adds(yLocal, yLocal, static_cast<T>(static_cast<float>(tiling->shifts[tile % 5] + tiling->flags[tile % 3])), length);
        outQueue.EnQue(yLocal);
        inQueue.FreeTensor(xLocal);
    }
    __aicore__ inline void CopyOut(uint32_t at, uint32_t length) {
        AscendC::LocalTensor<T> local = outQueue.template DeQue<T>();
        AscendC::DataCopyPad(yGm[at], local, AscendC::DataCopyExtParams(1, length * sizeof(T), 0, 0, 0));
        outQueue.FreeTensor(local);
    }

    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::TPosition::VECIN, 1> inQueue;
    AscendC::TQue<AscendC::TPosition::VECOUT, 1> outQueue;
    AscendC::GlobalTensor<T> xGm, yGm;
    const WeighSegmentsTilingData* tiling;
    const SegmentTiling* segment;
};

extern "C" __global__ __aicore__ void weigh_segments(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    GET_TILING_DATA(tilingData, tiling);
    KernelWeighSegments<DTYPE_X> op;
    op.Init(x, y, &tilingData);
    op.Process();
}
