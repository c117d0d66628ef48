// SPDX-License-Identifier: Apache-2.0
#include "grow.h"

extern "C" __global__ __aicore__ void grow_by_option(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    GET_TILING_DATA(data, tiling);
    KernelGrow<DTYPE_X> op;
    op.Init(x, y, data.total);
    op.Process();
}
