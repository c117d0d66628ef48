// SPDX-License-Identifier: Apache-2.0
// x += alpha * y, of up to 4096 floats; xOut is x.
#include "kernel_operator.h"
using namespace AscendC;

struct AddScaledTiling {
    uint32_t count, share;
    float alpha;
};

extern "C" __global__ __aicore__ void accumulate(GM_ADDR x, GM_ADDR y, GM_ADDR xOut, GM_ADDR workspace, GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(AddScaledTiling);
    GET_TILING_DATA(data, tiling);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, 2 * 4096 * sizeof(float));
    pipe.InitBuffer(out, 1, 4096 * sizeof(float));
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)xOut, data.count);
    yGm.SetGlobalBuffer((__gm__ float*)y, data.count);
    const DataCopyExtParams bytes(1, data.count * sizeof(float), 0, 0, 0);
    LocalTensor<float> both = in.AllocTensor<float>();
    DataCopyPad(both, xGm, bytes, DataCopyPadExtParams<float>());
    DataCopyPad(both[4096], yGm, bytes, DataCopyPadExtParams<float>());
    in.EnQue(both);
    both = in.DeQue<float>();
    LocalTensor<float> sum = out.AllocTensor<float>();
    Muls(sum, both[4096], data.alpha, data.count);
    Add(sum, sum, both, data.count);
    in.FreeTensor(both);
    out.EnQue(sum);
    sum = out.DeQue<float>();
    DataCopyPad(xGm, sum, bytes);
    out.FreeTensor(sum);
}
