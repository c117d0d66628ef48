// SPDX-License-Identifier: Apache-2.0
#ifndef ONE_TILE_H
#define ONE_TILE_H
#include "kernel_operator.h"

// One tile that is changed in place.
template <typename T> class OneTile {
  public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t size) {
        length = size;
        xGm.SetGlobalBuffer((__gm__ T*)x, length);
        yGm.SetGlobalBuffer((__gm__ T*)y, length);
        pipe.InitBuffer(queue, 1, (length * sizeof(T) + 31) / 32 * 32);
    }
    __aicore__ inline void CopyIn() {
        AscendC::LocalTensor<T> local = queue.template AllocTensor<T>();
        AscendC::DataCopyPad(local, xGm, AscendC::DataCopyExtParams(1, length * sizeof(T), 0, 0, 0), AscendC::DataCopyPadExtParams<T>());
        queue.EnQue(local);
        tile = queue.template DeQue<T>();
    }
    __aicore__ inline void Scale(T by) { AscendC::Muls(tile, tile, by, length); }
    __aicore__ inline void Shift(T by) { AscendC::Adds(tile, tile, by, length); }
    __aicore__ inline void AtLeast(T low) { AscendC::Maxs(tile, tile, low, length); }
    __aicore__ inline void AtMost(T high) { AscendC::Mins(tile, tile, high, length); }
    __aicore__ inline void CopyOut() {
        queue.EnQue(tile);
        tile = queue.template DeQue<T>();
        AscendC::DataCopyPad(yGm, tile, AscendC::DataCopyExtParams(1, length * sizeof(T), 0, 0, 0));
        queue.FreeTensor(tile);
    }

  private:
    AscendC::TPipe pipe;
    AscendC::TQueBind<AscendC::TPosition::VECIN, AscendC::TPosition::VECOUT, 1> queue;
    AscendC::LocalTensor<T> tile;
    AscendC::GlobalTensor<T> xGm, yGm;
    uint32_t length;
};
#endif
