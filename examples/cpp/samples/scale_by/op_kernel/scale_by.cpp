// SPDX-License-Identifier: Apache-2.0
// The kernel of ScaleBy: y = x * scale.
#include "kernel_operator.h"
#include "scale_by_tiling.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void scale_by(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(ScaleByTiling);
    GET_TILING_DATA(data, tiling);
    constexpr uint32_t kTile = 4096;
    TPipe pipe;
    TQue<TPosition::VECIN, 1> xQueue;
    TQue<TPosition::VECOUT, 1> yQueue;
    pipe.InitBuffer(xQueue, 2, kTile * sizeof(float));
    pipe.InitBuffer(yQueue, 2, kTile * sizeof(float));
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, data.count);
    yGm.SetGlobalBuffer((__gm__ float*)y, data.count);

    const uint32_t begin = GetBlockIdx() * data.share, end = min(begin + data.share, data.count);
    for (uint32_t at = begin; at < end; at += kTile) {
        const uint32_t count = min(kTile, end - at);
        const DataCopyExtParams bytes(1, count * sizeof(float), 0, 0, 0); // DataCopyPad takes any number of bytes
        LocalTensor<float> in = xQueue.AllocTensor<float>();
        DataCopyPad(in, xGm[at], bytes, DataCopyPadExtParams<float>());
        xQueue.EnQue(in);
        in = xQueue.DeQue<float>();
        LocalTensor<float> out = yQueue.AllocTensor<float>();
        Muls(out, in, data.scale, count);
        yQueue.EnQue(out);
        xQueue.FreeTensor(in);
        out = yQueue.DeQue<float>();
        DataCopyPad(yGm[at], out, bytes);
        yQueue.FreeTensor(out);
    }
}
