// SPDX-License-Identifier: Apache-2.0
// The tensor is used after it was given back to the queue.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kLength = 1024; // floats of x and of z

extern "C" __global__ __aicore__ void use_after_free(GM_ADDR x, GM_ADDR z) {
    GlobalTensor<float> xGm, zGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, kLength);
    zGm.SetGlobalBuffer((__gm__ float*)z, kLength);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    pipe.InitBuffer(inQueue, 1, kLength * sizeof(float));
    pipe.InitBuffer(outQueue, 1, kLength * sizeof(float));

    LocalTensor<float> source = inQueue.AllocTensor<float>();
    DataCopy(source, xGm, kLength);
    inQueue.EnQue(source);
    LocalTensor<float> arrived = inQueue.DeQue<float>();
    LocalTensor<float> sum = outQueue.AllocTensor<float>();
    inQueue.FreeTensor(arrived);
    Add(sum, arrived, arrived, kLength);
    outQueue.EnQue(sum);
    LocalTensor<float> ready = outQueue.DeQue<float>();
    DataCopy(zGm, ready, kLength);
    outQueue.FreeTensor(ready);
}
