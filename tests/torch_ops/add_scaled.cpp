// SPDX-License-Identifier: Apache-2.0
// z = x + alpha * y, and nothing added where there is no y.
#include "kernel_operator.h"
using namespace AscendC;

struct AddScaledTiling {
    uint32_t count; // elements in all
    uint32_t share; // elements of one block
    float alpha;
};

extern "C" __global__ __aicore__ void add_scaled(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(AddScaledTiling);
    GET_TILING_DATA(data, tiling);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> xQueue, yQueue;
    TQue<TPosition::VECOUT, 1> zQueue;
    constexpr uint32_t kTile = 4096;
    pipe.InitBuffer(xQueue, 2, kTile * sizeof(float));
    pipe.InitBuffer(yQueue, 2, kTile * sizeof(float));
    pipe.InitBuffer(zQueue, 2, kTile * sizeof(float));
    GlobalTensor<float> xGm, yGm, zGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, data.count);
    yGm.SetGlobalBuffer((__gm__ float*)y, data.count);
    zGm.SetGlobalBuffer((__gm__ float*)z, data.count);

    const uint32_t begin = GetBlockIdx() * data.share, end = min(begin + data.share, data.count);
    for (uint32_t at = begin; at < end; at += kTile) {
        const uint32_t count = min(kTile, end - at);
        const DataCopyExtParams bytes(1, count * sizeof(float), 0, 0, 0); // DataCopyPad takes any number of bytes
        LocalTensor<float> xIn = xQueue.AllocTensor<float>(), yIn = yQueue.AllocTensor<float>();
        DataCopyPad(xIn, xGm[at], bytes, DataCopyPadExtParams<float>());
        DataCopyPad(yIn, yGm[at], bytes, DataCopyPadExtParams<float>());
        xQueue.EnQue(xIn);
        yQueue.EnQue(yIn);
        xIn = xQueue.DeQue<float>();
        yIn = yQueue.DeQue<float>();
        LocalTensor<float> zOut = zQueue.AllocTensor<float>();
        Muls(zOut, yIn, data.alpha, count);
        Add(zOut, zOut, xIn, count);
        zQueue.EnQue(zOut);
        xQueue.FreeTensor(xIn);
        yQueue.FreeTensor(yIn);
        zOut = zQueue.DeQue<float>();
        DataCopyPad(zGm[at], zOut, bytes);
        zQueue.FreeTensor(zOut);
    }
}
