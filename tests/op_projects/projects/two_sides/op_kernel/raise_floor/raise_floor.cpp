// SPDX-License-Identifier: Apache-2.0
#include "edge_common.h"

extern "C" __global__ __aicore__ void raise_floor(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    GET_TILING_DATA(data, tiling);
    KernelEdge<DTYPE_X, true> op;
    op.Init(x, y, data.total, data.edge);
    op.Process();
}
