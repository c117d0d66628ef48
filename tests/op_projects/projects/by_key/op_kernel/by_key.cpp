// SPDX-License-Identifier: Apache-2.0
// The struct behind GET_TILING_DATA depends on the tiling key, and with it the fields that a branch may read.
#include "kernel_operator.h"
#include "one_tile.h"

extern "C" __global__ __aicore__ void by_key(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    GET_TILING_DATA(tilingData, tiling);
    OneTile<DTYPE_X> op;
    op.Init(x, y, static_cast<uint32_t>(tilingData.length));
    if (TILING_KEY_IS(0)) {
        op.CopyIn();
        op.Scale(static_cast<DTYPE_X>(-1.0f));
        op.CopyOut();
    } else if (TILING_KEY_IS(1)) {
        op.CopyIn();
        op.Shift(static_cast<DTYPE_X>(tilingData.addend));
        op.CopyOut();
    } else if (TILING_KEY_IS(20)) {
        op.CopyIn();
        op.Scale(static_cast<DTYPE_X>(tilingData.factors[0] * tilingData.factors[1]));
        op.CopyOut();
    }
}
