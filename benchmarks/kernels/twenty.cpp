// SPDX-License-Identifier: Apache-2.0
// Twenty different calls in one kernel, as a larger operator has them. Only built, not run.
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void twenty(GM_ADDR x, GM_ADDR y, uint32_t length) {
    constexpr uint32_t kTile = 1024;
    GlobalTensor<half> from, to;
    from.SetGlobalBuffer((__gm__ half*)x + GetBlockIdx() * length, length);
    to.SetGlobalBuffer((__gm__ half*)y + GetBlockIdx() * length, length);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    TBuf<TPosition::VECCALC> scratch;
    pipe.InitBuffer(in, 2, kTile * sizeof(half));
    pipe.InitBuffer(out, 2, kTile * sizeof(half));
    pipe.InitBuffer(scratch, 8 * kTile * sizeof(float));
    LocalTensor<float> a = scratch.Get<float>(), b = a[kTile], c = a[2 * kTile], d = a[3 * kTile];
    LocalTensor<uint8_t> chosen = a[4 * kTile].ReinterpretCast<uint8_t>();
    LocalTensor<uint32_t> offsets = a[5 * kTile].ReinterpretCast<uint32_t>();
    for (uint32_t at = 0; at < length; at += kTile) {
        LocalTensor<half> tile = in.AllocTensor<half>();
        DataCopyPad(tile, from[at], DataCopyExtParams{1, kTile * sizeof(half), 0, 0, 0}, DataCopyPadExtParams<half>{});
        in.EnQue(tile);
        tile = in.DeQue<half>();
        Cast(a, tile, RoundMode::CAST_NONE, kTile);
        Muls(b, a, 0.5f, kTile);
        Adds(b, b, 1.0f, kTile);
        Exp(c, b, kTile);
        Add(c, c, a, kTile);
        Sub(d, c, b, kTile);
        Mul(d, d, d, kTile);
        Div(d, d, c, kTile);
        Sqrt(d, d, kTile);
        Abs(b, b, kTile);
        Max(b, b, d, kTile);
        Maxs(b, b, 0.0f, kTile);
        Compare(chosen, b, d, CMPMODE::GT, kTile);
        Select(c, chosen, b, d, SELMODE::VSEL_TENSOR_TENSOR_MODE, kTile);
        ReduceSum(d, c, d, kTile);
        Duplicate(d, d.GetValue(0), kTile);
        CreateVecIndex(offsets.ReinterpretCast<int32_t>(), 0, kTile);
        ShiftLeft(offsets, offsets, 2u, static_cast<int32_t>(kTile));
        Gather(b, c, offsets, 0, kTile);
        in.FreeTensor(tile);
        LocalTensor<half> result = out.AllocTensor<half>();
        Cast(result, b, RoundMode::CAST_RINT, kTile);
        out.EnQue(result);
        result = out.DeQue<half>();
        DataCopy(to[at], result, kTile);
        out.FreeTensor(result);
    }
}
