// SPDX-License-Identifier: Apache-2.0
// y = x * scale + shift, with three ways through the data. The host looks at the length, fills the tiling struct and picks the key:
//   1  everything fits into one tile: one buffer, no loop
//   2  whole tiles: double buffering
//   3  whole tiles and a rest that does not fill a block of 32 bytes
// The compiled kernel lists its keys (aclimb inspect), and a launch names the one it wants.
#include "kernel_operator.h"

struct ScaleShiftTiling {
    uint32_t length; // elements
    uint32_t tile;   // elements, a multiple of 8
    float scale;
    float shift;
};

template <uint8_t buffers, bool ragged> class ScaleShift {
  public:
    __aicore__ inline ScaleShift() {}

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const ScaleShiftTiling& tiling) {
        xGm.SetGlobalBuffer((__gm__ float*)x, tiling.length);
        yGm.SetGlobalBuffer((__gm__ float*)y, tiling.length);
        pipe.InitBuffer(inQueue, buffers, tiling.tile * sizeof(float));
        pipe.InitBuffer(outQueue, buffers, tiling.tile * sizeof(float));
    }

    __aicore__ inline void Process(const ScaleShiftTiling& tiling) {
        uint32_t done = 0;
        for (; done + tiling.tile <= tiling.length; done += tiling.tile) Tile(tiling, done, tiling.tile);
        if constexpr (ragged) Tile(tiling, done, tiling.length - done);
    }

  private:
    __aicore__ inline void Tile(const ScaleShiftTiling& tiling, uint32_t offset, uint32_t count) {
        AscendC::LocalTensor<float> x = inQueue.AllocTensor<float>();
        if constexpr (ragged) {
            AscendC::DataCopyPad(x, xGm[offset], Bytes(count), AscendC::DataCopyPadExtParams<float>());
        } else {
            AscendC::DataCopy(x, xGm[offset], count);
        }
        inQueue.EnQue(x);

        x = inQueue.DeQue<float>();
        AscendC::LocalTensor<float> y = outQueue.AllocTensor<float>();
        AscendC::Muls(y, x, tiling.scale, (int32_t)count);
        AscendC::Adds(y, y, tiling.shift, (int32_t)count);
        inQueue.FreeTensor(x);
        outQueue.EnQue(y);

        y = outQueue.DeQue<float>();
        if constexpr (ragged) {
            AscendC::DataCopyPad(yGm[offset], y, Bytes(count));
        } else {
            AscendC::DataCopy(yGm[offset], y, count);
        }
        outQueue.FreeTensor(y);
    }

    __aicore__ inline AscendC::DataCopyExtParams Bytes(uint32_t count) {
        return {1, static_cast<uint32_t>(count * sizeof(float)), 0, 0, 0};
    }

    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::TPosition::VECIN, 1> inQueue;
    AscendC::TQue<AscendC::TPosition::VECOUT, 1> outQueue;
    AscendC::GlobalTensor<float> xGm, yGm;
};

template <uint8_t buffers, bool ragged> __aicore__ inline void Run(GM_ADDR x, GM_ADDR y, const ScaleShiftTiling& tiling) {
    ScaleShift<buffers, ragged> op;
    op.Init(x, y, tiling);
    op.Process(tiling);
}

extern "C" __global__ __aicore__ void scale_shift(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(ScaleShiftTiling);
    GET_TILING_DATA(data, tiling);
    if (TILING_KEY_IS(1)) {
        Run<1, false>(x, y, data);
    } else if (TILING_KEY_IS(2)) {
        Run<2, false>(x, y, data);
    } else if (TILING_KEY_IS(3)) {
        Run<2, true>(x, y, data);
    }
}
