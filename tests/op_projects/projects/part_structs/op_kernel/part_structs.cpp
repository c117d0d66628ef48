// SPDX-License-Identifier: Apache-2.0
// The tiling data member by member, as a whole by its name, and by a pointer.
#include "kernel_operator.h"

template <typename T> class KernelPartStructs {
  public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const PartSizes& sizes) {
        total = sizes.total;
        tile = sizes.tile;
        xGm.SetGlobalBuffer((__gm__ T*)x, total);
        yGm.SetGlobalBuffer((__gm__ T*)y, total);
        pipe.InitBuffer(inQueue, 2, tile * sizeof(T));
        pipe.InitBuffer(outQueue, 2, tile * sizeof(T));
    }
    __aicore__ inline void Process(T factor, T addend) {
        for (uint32_t at = AscendC::GetBlockIdx() * tile; at < total; at += AscendC::GetBlockNum() * tile) {
            const uint32_t length = at + tile < total ? tile : total - at;
            auto in = inQueue.template AllocTensor<T>();
            AscendC::DataCopyPad(in, xGm[at], AscendC::DataCopyExtParams(1, length * sizeof(T), 0, 0, 0),
                                 AscendC::DataCopyPadExtParams<T>());
            inQueue.EnQue(in);
            in = inQueue.template DeQue<T>();
            auto out = outQueue.template AllocTensor<T>();
            AscendC::Muls(out, in, factor, length);
            AscendC::Adds(out, out, addend, length);
            outQueue.EnQue(out);
            inQueue.FreeTensor(in);
            out = outQueue.template DeQue<T>();
            AscendC::DataCopyPad(yGm[at], out, AscendC::DataCopyExtParams(1, length * sizeof(T), 0, 0, 0));
            outQueue.FreeTensor(out);
        }
    }

  private:
    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::QuePosition::VECIN, 2> inQueue;
    AscendC::TQue<AscendC::QuePosition::VECOUT, 2> outQueue;
    AscendC::GlobalTensor<T> xGm, yGm;
    uint32_t total, tile;
};

extern "C" __global__ __aicore__ void part_structs(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    GET_TILING_DATA_MEMBER(PartStructsTilingData, sizes, sizes, tiling);
    GET_TILING_DATA_MEMBER(PartStructsTilingData, addend, addend, tiling);
    GET_TILING_DATA_WITH_STRUCT(PartStructsTilingData, whole, tiling);
    const __gm__ PartStructsTilingData* pointed = reinterpret_cast<const __gm__ PartStructsTilingData*>(tiling);
    KernelPartStructs<DTYPE_X> op;
    op.Init(x, y, sizes);
    op.Process(static_cast<DTYPE_X>(whole.factors[0] * whole.factors[1] * pointed->factors[2]), static_cast<DTYPE_X>(addend + whole.first));
}
