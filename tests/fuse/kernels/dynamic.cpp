// Adds ten times its tiling key and its block count to the rows it owns.
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __vector__ void scaled(GM_ADDR rows) {
    int32_t step = 0;
    if (TILING_KEY_IS(1)) step = 10;
    if (TILING_KEY_IS(2)) step = 20;
    GlobalTensor<int32_t> gm;
    gm.SetGlobalBuffer((__gm__ int32_t*)rows + GetBlockIdx() * 16, 16);
    for (uint32_t i = 0; i < 16; ++i) gm.SetValue(i, gm.GetValue(i) + step + GetBlockNum());
}
