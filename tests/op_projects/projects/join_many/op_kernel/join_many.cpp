// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"
#include "kernel_operator_list_tensor_intf.h"

using namespace AscendC;

template <typename T> class KernelJoinMany {
  public:
    __aicore__ inline void Init(GM_ADDR z, const JoinManyTilingData* data) {
        tiling = data;
        zAddress = (__gm__ T*)z;
        const uint32_t bytes = (tiling->maxLength * sizeof(T) + 31) / 32 * 32;
        pipe.InitBuffer(inQueue, 2, bytes);
        pipe.InitBuffer(outQueue, 2, bytes);
    }
    __aicore__ inline void Process(GM_ADDR x, GM_ADDR y) {
        ListTensorDesc list((__gm__ void*)y);
        uint32_t at = 0;
        for (uint32_t i = 0; i <= tiling->tensorNum; ++i) {
            xGm.SetGlobalBuffer(i == 0 ? (__gm__ T*)x : (__gm__ T*)list.GetDataPtr<T>(i - 1), tiling->lengths[i]);
            zGm.SetGlobalBuffer(zAddress + at, tiling->lengths[i]);
            One(tiling->lengths[i], static_cast<T>(tiling->factors[i]));
            at += tiling->lengths[i];
        }
    }

  private:
    __aicore__ inline void One(uint32_t length, T factor) {
        const DataCopyExtParams params(1, length * sizeof(T), 0, 0, 0);
        LocalTensor<T> in = inQueue.template AllocTensor<T>();
        DataCopyPad(in, xGm, params, DataCopyPadExtParams<T>());
        inQueue.EnQue(in);
        in = inQueue.template DeQue<T>();
        LocalTensor<T> out = outQueue.template AllocTensor<T>();
        Muls(out, in, factor, length);
        outQueue.EnQue(out);
        inQueue.FreeTensor(in);
        out = outQueue.template DeQue<T>();
        DataCopyPad(zGm, out, params);
        outQueue.FreeTensor(out);
    }

    TPipe pipe;
    TQue<QuePosition::VECIN, 2> inQueue;
    TQue<QuePosition::VECOUT, 2> outQueue;
    GlobalTensor<T> xGm, zGm;
    __gm__ T* zAddress;
    const JoinManyTilingData* tiling;
};

extern "C" __global__ __aicore__ void join_many(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling) {
    GET_TILING_DATA(tilingData, tiling);
    KernelJoinMany<DTYPE_Z> op;
    op.Init(z, &tilingData);
    op.Process(x, y);
}
