// SPDX-License-Identifier: Apache-2.0
// Softmax over the last axis: y = exp(x - max) / sum(exp(x - max)) for every row. The arithmetic is float; half and bfloat16 are widened on
// the way in and rounded once on the way out. Tiling key 1 is half, 2 bfloat16, 3 float.
//
//   softmax_rows        rows that fit into UB, several to a tile. Keys 11, 12 and 13: rows of at most 64 columns, where one instruction
//                       works on all rows of the tile
// Longer rows are cut into pieces and take three kernels, one after the other:
//   softmax_partial     every piece: its maximum, and the sum of exp(x - its maximum)
//   softmax_combine     every row: the maximum of all, and 1 / the sum of all
//   softmax_normalize   every piece: exp(x - maximum) * (1 / sum)
// The workspace holds, as floats: maxima (one a piece), sums (one a piece), and for each row 8 of which 2 are used: maximum and 1 / sum.
#include "softmax_pieces.h"
#include "softmax_rows.h"

template <typename T, bool narrow> __aicore__ inline void Rows(GM_ADDR x, GM_ADDR y, const SoftmaxTiling& tiling) {
    RowSoftmax<T> op(x, y, tiling);
    op.template Process<narrow>();
}

extern "C" __global__ __aicore__ void softmax_rows(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(SoftmaxTiling);
    GET_TILING_DATA(data, tiling);
    if (TILING_KEY_IS(1)) Rows<half, false>(x, y, data);
    else if (TILING_KEY_IS(2)) Rows<bfloat16_t, false>(x, y, data);
    else if (TILING_KEY_IS(3)) Rows<float, false>(x, y, data);
    else if (TILING_KEY_IS(11)) Rows<half, true>(x, y, data);
    else if (TILING_KEY_IS(12)) Rows<bfloat16_t, true>(x, y, data);
    else if (TILING_KEY_IS(13)) Rows<float, true>(x, y, data);
}

template <typename T> __aicore__ inline void Partial(GM_ADDR x, GM_ADDR workspace, const SoftmaxTiling& tiling) {
    PartialPieces<T> op(x, workspace, tiling);
    op.Process();
}

extern "C" __global__ __aicore__ void softmax_partial(GM_ADDR x, GM_ADDR workspace, GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(SoftmaxTiling);
    GET_TILING_DATA(data, tiling);
    if (TILING_KEY_IS(1)) Partial<half>(x, workspace, data);
    else if (TILING_KEY_IS(2)) Partial<bfloat16_t>(x, workspace, data);
    else if (TILING_KEY_IS(3)) Partial<float>(x, workspace, data);
}

extern "C" __global__ __aicore__ void softmax_combine(GM_ADDR workspace, GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(SoftmaxTiling);
    GET_TILING_DATA(data, tiling);
    CombineRows op(workspace, data);
    op.Process();
}

template <typename T> __aicore__ inline void Scale(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, const SoftmaxTiling& tiling) {
    NormalizePieces<T> op(x, y, workspace, tiling);
    op.Process();
}

extern "C" __global__ __aicore__ void softmax_normalize(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(SoftmaxTiling);
    GET_TILING_DATA(data, tiling);
    if (TILING_KEY_IS(1)) Scale<half>(x, y, workspace, data);
    else if (TILING_KEY_IS(2)) Scale<bfloat16_t>(x, y, workspace, data);
    else if (TILING_KEY_IS(3)) Scale<float>(x, y, workspace, data);
}
