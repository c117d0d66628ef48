// SPDX-License-Identifier: Apache-2.0
#ifndef TILE_BY_TILE_H
#define TILE_BY_TILE_H
#include "kernel_operator.h"

// out = in * factor + in2, where there is a second input
template <typename T> class TileByTile {
  public:
    __aicore__ inline TileByTile(AscendC::TPipe* pipe, uint32_t total, uint32_t tile) : total(total), tile(tile) {
        pipe->InitBuffer(inQueue, 1, tile * sizeof(T));
        pipe->InitBuffer(moreQueue, 1, tile * sizeof(T));
        pipe->InitBuffer(outQueue, 1, tile * sizeof(T));
    }
    __aicore__ inline void Process(GM_ADDR in, GM_ADDR more, GM_ADDR out, T factor) {
        hasMore = more != nullptr;
        inGm.SetGlobalBuffer((__gm__ T*)in, total);
        if (hasMore) moreGm.SetGlobalBuffer((__gm__ T*)more, total);
        outGm.SetGlobalBuffer((__gm__ T*)out, total);
        for (uint32_t at = AscendC::GetBlockIdx() * tile; at < total; at += AscendC::GetBlockNum() * tile) {
            const uint32_t length = at + tile < total ? tile : total - at;
            CopyIn(inQueue, inGm, at, length);
            if (hasMore) CopyIn(moreQueue, moreGm, at, length);
            Compute(length, factor);
            CopyOut(at, length);
        }
    }

  private:
    template <typename Q> __aicore__ inline void CopyIn(Q& queue, AscendC::GlobalTensor<T>& from, uint32_t at, uint32_t length) {
        AscendC::LocalTensor<T> local = queue.template AllocTensor<T>();
        AscendC::DataCopyPad(local, from[at], AscendC::DataCopyExtParams(1, length * sizeof(T), 0, 0, 0),
                             AscendC::DataCopyPadExtParams<T>());
        queue.EnQue(local);
    }
    __aicore__ inline void Compute(uint32_t length, T factor) {
        AscendC::LocalTensor<T> in = inQueue.template DeQue<T>();
        AscendC::LocalTensor<T> out = outQueue.template AllocTensor<T>();
        AscendC::Muls(out, in, factor, length);
        if (hasMore) {
            AscendC::LocalTensor<T> more = moreQueue.template DeQue<T>();
            AscendC::Add(out, out, more, length);
            moreQueue.FreeTensor(more);
        }
        outQueue.EnQue(out);
        inQueue.FreeTensor(in);
    }
    __aicore__ inline void CopyOut(uint32_t at, uint32_t length) {
        AscendC::LocalTensor<T> out = outQueue.template DeQue<T>();
        AscendC::DataCopyPad(outGm[at], out, AscendC::DataCopyExtParams(1, length * sizeof(T), 0, 0, 0));
        outQueue.FreeTensor(out);
    }

    AscendC::TQue<AscendC::QuePosition::VECIN, 1> inQueue, moreQueue;
    AscendC::TQue<AscendC::QuePosition::VECOUT, 1> outQueue;
    AscendC::GlobalTensor<T> inGm, moreGm, outGm;
    uint32_t total, tile;
    bool hasMore;
};
#endif
