// SPDX-License-Identifier: Apache-2.0
// z[rows, n] = up * gate / (1 + exp(-gate)); x[rows, 2 * n] has gate and up side by side. A block takes every so many-th row.
#include "kernel_operator.h"

using namespace AscendC;

struct SwiGluTiling {
    int32_t rows, columns;
};

extern "C" __global__ __vector__ void swiglu(GM_ADDR x, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(SwiGluTiling);
    GET_TILING_DATA(shape, tiling);
    const int32_t n = shape.columns;
    GlobalTensor<half> from, to;
    from.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(x), shape.rows * 2 * n);
    to.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(z), shape.rows * n);
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in;
    TQue<TPosition::VECOUT, 2> out;
    TBuf<TPosition::VECCALC> floats;
    pipe.InitBuffer(in, 2, 2 * n * sizeof(half));
    pipe.InitBuffer(out, 2, n * sizeof(half));
    pipe.InitBuffer(floats, 3 * n * sizeof(float));
    LocalTensor<float> gate = floats.Get<float>(), up = gate[n], sigmoid = gate[2 * n];
    for (int32_t row = GetBlockIdx(); row < shape.rows; row += GetBlockNum()) {
        LocalTensor<half> local = in.AllocTensor<half>();
        DataCopy(local, from[row * 2 * n], 2 * n);
        in.EnQue(local);
        local = in.DeQue<half>();
        Cast(gate, local, RoundMode::CAST_NONE, 2 * n);
        in.FreeTensor(local);
        Muls(sigmoid, gate, -1.0f, n);
        Exp(sigmoid, sigmoid, n);
        Adds(sigmoid, sigmoid, 1.0f, n);
        Div(gate, gate, sigmoid, n);
        Mul(gate, gate, up, n);
        LocalTensor<half> result = out.AllocTensor<half>();
        Cast(result, gate, RoundMode::CAST_RINT, n);
        out.EnQue(result);
        result = out.DeQue<half>();
        DataCopy(to[row * n], result, n);
        out.FreeTensor(result);
    }
}
