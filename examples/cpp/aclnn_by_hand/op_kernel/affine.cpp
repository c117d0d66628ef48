// SPDX-License-Identifier: Apache-2.0
// y = alpha * x + bias, in pieces of 2048 elements that the blocks take in turn.
#include "affine_tiling.h"
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t PIECE = 2048;

extern "C" __global__ __vector__ void affine(GM_ADDR x, GM_ADDR bias, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(AffineTiling);
    GET_TILING_DATA(data, tiling);
    GlobalTensor<float> from, more, to;
    from.SetGlobalBuffer((__gm__ float*)x, data.count);
    more.SetGlobalBuffer((__gm__ float*)bias, data.count);
    to.SetGlobalBuffer((__gm__ float*)y, data.count);
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in;
    TQue<TPosition::VECOUT, 2> out;
    pipe.InitBuffer(in, 2, PIECE * sizeof(float));
    pipe.InitBuffer(out, 2, PIECE * sizeof(float));
    for (uint32_t at = GetBlockIdx() * PIECE; at < data.count; at += GetBlockNum() * PIECE) {
        const uint32_t length = data.count - at < PIECE ? data.count - at : PIECE;
        const DataCopyExtParams bytes{1, static_cast<uint32_t>(length * sizeof(float)), 0, 0, 0};
        LocalTensor<float> piece = in.AllocTensor<float>();
        DataCopyPad(piece, from[at], bytes, DataCopyPadExtParams<float>());
        in.EnQue(piece);
        piece = in.DeQue<float>();
        LocalTensor<float> result = out.AllocTensor<float>();
        Muls(result, piece, data.alpha, length);
        in.FreeTensor(piece);
        if (data.has_bias) {
            LocalTensor<float> added = in.AllocTensor<float>();
            DataCopyPad(added, more[at], bytes, DataCopyPadExtParams<float>());
            in.EnQue(added);
            added = in.DeQue<float>();
            Add(result, result, added, length);
            in.FreeTensor(added);
        }
        out.EnQue(result);
        result = out.DeQue<float>();
        DataCopyPad(to[at], result, bytes);
        out.FreeTensor(result);
    }
}
