// SPDX-License-Identifier: Apache-2.0
// The queue is used after the pipe was destroyed.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kLength = 1024; // floats of x and of z

extern "C" __global__ __aicore__ void queue_after_destroy(GM_ADDR x, GM_ADDR z) {
    GlobalTensor<float> xGm, zGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, kLength);
    zGm.SetGlobalBuffer((__gm__ float*)z, kLength);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> queue;
    pipe.InitBuffer(queue, 1, kLength * sizeof(float));
    pipe.Destroy();
    LocalTensor<float> local = queue.AllocTensor<float>();
    DataCopy(local, xGm, kLength);
    PipeBarrier<PIPE_ALL>();
    Add(local, local, local, kLength);
    PipeBarrier<PIPE_ALL>();
    DataCopy(zGm, local, kLength);
}
