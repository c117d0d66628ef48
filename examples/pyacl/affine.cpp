// SPDX-License-Identifier: Apache-2.0
// x = x * scale + bias, in place. Scale and bias come as tiling data, the length of a block as a scalar.
#include "kernel_operator.h"

struct AffineTiling {
    float scale;
    float bias;
};

extern "C" __global__ __aicore__ void affine(GM_ADDR x, uint32_t length, GM_ADDR tiling) {
    const auto* values = reinterpret_cast<__gm__ const AffineTiling*>(tiling);
    AscendC::GlobalTensor<float> gm;
    gm.SetGlobalBuffer((__gm__ float*)x + AscendC::GetBlockIdx() * length, length);
    AscendC::TPipe pipe;
    AscendC::TQueBind<AscendC::TPosition::VECIN, AscendC::TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, length * sizeof(float));
    AscendC::LocalTensor<float> in = queue.AllocTensor<float>();
    AscendC::DataCopy(in, gm, length);
    queue.EnQue<AscendC::TPosition::GM, AscendC::TPosition::VECIN, float>(in);
    AscendC::LocalTensor<float> local = queue.DeQue<AscendC::TPosition::GM, AscendC::TPosition::VECIN, float>();
    AscendC::Muls(local, local, values->scale, length);
    AscendC::Adds(local, local, values->bias, length);
    queue.EnQue<AscendC::TPosition::VECOUT, AscendC::TPosition::GM, float>(local);
    AscendC::LocalTensor<float> out = queue.DeQue<AscendC::TPosition::VECOUT, AscendC::TPosition::GM, float>();
    AscendC::DataCopy(gm, out, length);
    queue.FreeTensor(out);
}
