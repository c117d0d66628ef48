// SPDX-License-Identifier: Apache-2.0
// Sees nearly everything that an earlier kernel could have left behind: the core's context, rounding and denormals on the scalar and on the
// vector unit, flags, queues, the lock of an atomic copy.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kCount = 64; // floats a block

// total += 1 in every element; out[block] = x[block] / 3 by the vector unit, tiny[block] = tiny[block] / 2 by the scalar unit.
extern "C" __global__ __aicore__ void good_after(GM_ADDR x, GM_ADDR out, GM_ADDR tiny, GM_ADDR total) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    const uint32_t block = GetBlockIdx();
    GlobalTensor<float> xGm, outGm;
    GlobalTensor<int32_t> totalGm;
    xGm.SetGlobalBuffer((__gm__ float*)x + block * kCount, kCount);
    outGm.SetGlobalBuffer((__gm__ float*)out + block * kCount, kCount);
    totalGm.SetGlobalBuffer((__gm__ int32_t*)total, kCount);
    volatile float half = 0.5f;
    ((__gm__ float*)tiny)[block] = ((__gm__ float*)tiny)[block] * half;

    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> result;
    TBuf<TPosition::VECCALC> ones;
    pipe.InitBuffer(in, 1, kCount * sizeof(float));
    pipe.InitBuffer(result, 1, kCount * sizeof(float));
    pipe.InitBuffer(ones, kCount * sizeof(int32_t));
    LocalTensor<float> local = in.AllocTensor<float>();
    DataCopy(local, xGm, kCount);
    in.EnQue(local);
    local = in.DeQue<float>();
    LocalTensor<float> divided = result.AllocTensor<float>();
    Duplicate(divided, 3.0f, kCount);
    Div(divided, local, divided, kCount);
    result.EnQue(divided);
    in.FreeTensor(local);
    divided = result.DeQue<float>();
    DataCopy(outGm, divided, kCount);
    result.FreeTensor(divided);

    LocalTensor<int32_t> one = ones.Get<int32_t>();
    Duplicate(one, static_cast<int32_t>(1), kCount);
    PipeBarrier<PIPE_ALL>();
    SetAtomicAdd<int32_t>();
    DataCopy(totalGm, one, kCount);
    SetAtomicNone();
}
