// SPDX-License-Identifier: Apache-2.0
// y[m, n] = x[m, k] * w[k, n]: half in and out, sums are float.
#define ASCENDC_CUBE_ONLY
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

using Half = MatmulType<TPosition::GM, CubeFormat::ND, half>;

__aicore__ inline int32_t Least(int32_t a, int32_t b) { return a < b ? a : b; }

extern "C" __global__ __cube__ void linear(GM_ADDR x, GM_ADDR w, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(TCubeTiling);
    GET_TILING_DATA(cut, tiling);
    const auto block = static_cast<int32_t>(GetBlockIdx());
    if (block >= cut.usedCoreNum) return;
    const int32_t rows = (cut.M + cut.singleCoreM - 1) / cut.singleCoreM; // of parts
    const int32_t m = block % rows * cut.singleCoreM, n = block / rows * cut.singleCoreN;
    GlobalTensor<half> gx, gw, gy;
    gx.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(x) + static_cast<uint64_t>(m) * cut.Ka);
    gw.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(w) + n);
    gy.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(y) + static_cast<uint64_t>(m) * cut.N + n);
    TPipe pipe;
    Matmul<Half, Half, Half, Half, CFG_MDL> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &cut);
    mm.SetTail(Least(cut.singleCoreM, cut.M - m), Least(cut.singleCoreN, cut.N - n)); // the last parts may be smaller
    mm.SetTensorA(gx);
    mm.SetTensorB(gw);
    mm.IterateAll(gy);
    mm.End();
}
