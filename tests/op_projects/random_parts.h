// SPDX-License-Identifier: Apache-2.0
// What the kernels of random projects are made of: tiles come as floats, whatever type they have, and leave as another one.
#ifndef RANDOM_PARTS_H
#define RANDOM_PARTS_H
#include "kernel_operator.h"
#include "kernel_operator_list_tensor_intf.h"

class RandomParts {
  public:
    __aicore__ inline RandomParts(uint32_t tile) {
        pipe.InitBuffer(inQueue, 1, tile * sizeof(float));
        pipe.InitBuffer(outQueue, 1, tile * sizeof(float));
        pipe.InitBuffer(sumBuffer, tile * sizeof(float));
        pipe.InitBuffer(loadedBuffer, tile * sizeof(float));
        all = sumBuffer.Get<float>();
        loaded = loadedBuffer.Get<float>();
    }
    template <typename T> __aicore__ inline AscendC::LocalTensor<float>& Load(GM_ADDR from, uint32_t at, uint32_t count) {
        AscendC::GlobalTensor<T> gm;
        gm.SetGlobalBuffer((__gm__ T*)from);
        AscendC::LocalTensor<T> local = inQueue.template AllocTensor<T>();
        AscendC::DataCopyPad(local, gm[at], AscendC::DataCopyExtParams(1, count * sizeof(T), 0, 0, 0), AscendC::DataCopyPadExtParams<T>());
        inQueue.EnQue(local);
        local = inQueue.template DeQue<T>();
        if constexpr (AscendC::IsSameType<T, float>::value) AscendC::Adds(loaded, local, 0.0f, count);
        else AscendC::Cast(loaded, local, AscendC::RoundMode::CAST_NONE, count);
        inQueue.FreeTensor(local);
        return loaded;
    }
    template <typename T> __aicore__ inline AscendC::LocalTensor<float>& LoadOf(GM_ADDR list, uint32_t at, uint32_t count, uint32_t which) {
        AscendC::ListTensorDesc tensors((__gm__ void*)list);
        return Load<T>((GM_ADDR)tensors.GetDataPtr<T>(which), at, count);
    }
    template <typename T> __aicore__ inline void Store(GM_ADDR to, uint32_t at, uint32_t count, float factor, float addend) {
        AscendC::Muls(loaded, all, factor, count);
        AscendC::Adds(loaded, loaded, addend, count);
        AscendC::LocalTensor<T> local = outQueue.template AllocTensor<T>();
        if constexpr (AscendC::IsSameType<T, float>::value) AscendC::Adds(local, loaded, 0.0f, count);
        else AscendC::Cast(local, loaded, AscendC::RoundMode::CAST_RINT, count);
        outQueue.EnQue(local);
        local = outQueue.template DeQue<T>();
        AscendC::GlobalTensor<T> gm;
        gm.SetGlobalBuffer((__gm__ T*)to);
        AscendC::DataCopyPad(gm[at], local, AscendC::DataCopyExtParams(1, count * sizeof(T), 0, 0, 0));
        outQueue.FreeTensor(local);
    }
    // To the workspace, with nothing left behind, and back.
    __aicore__ inline void Through(GM_ADDR room, uint32_t at, uint32_t count) {
        Store<float>(room, at, count, 1.0f, 0.0f);
        AscendC::PipeBarrier<PIPE_ALL>();
        AscendC::Muls(all, all, 0.0f, count);
        AscendC::Add(all, all, Load<float>(room, at, count), count);
    }

    AscendC::LocalTensor<float> all;

  private:
    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::TPosition::VECIN, 1> inQueue;
    AscendC::TQue<AscendC::TPosition::VECOUT, 1> outQueue;
    AscendC::TBuf<AscendC::TPosition::VECCALC> sumBuffer, loadedBuffer;
    AscendC::LocalTensor<float> loaded;
};
#endif
