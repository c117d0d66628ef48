// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"
#include "one_tile.h"

extern "C" __global__ __aicore__ void pick(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    OneTile<DTYPE_X> op;
    if (TILING_KEY_IS(3)) {
        GET_TILING_DATA_WITH_STRUCT(PickTilingData, data, tiling);
        op.Init(x, y, data.length);
        op.CopyIn();
        op.AtLeast(data.low);
        op.CopyOut();
    } else if (TILING_KEY_IS(7)) {
        GET_TILING_DATA_WITH_STRUCT(PickBothTilingData, data, tiling);
        op.Init(x, y, data.length);
        op.CopyIn();
        op.AtLeast(data.low);
        op.AtMost(data.high);
        op.CopyOut();
    }
}
