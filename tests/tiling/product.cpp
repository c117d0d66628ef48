// SPDX-License-Identifier: Apache-2.0
// A product by a Matmul object, each core its part as the tiling says. TURNED: B lies in memory as [n, k].
#define ASCENDC_CUBE_ONLY
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

using AType = MatmulType<TPosition::GM, CubeFormat::ND, half>;
using BType = MatmulType<TPosition::GM, CubeFormat::ND, half, TURNED>;
using CType = MatmulType<TPosition::GM, CubeFormat::ND, float>;

__aicore__ inline int32_t Least(int32_t a, int32_t b) { return a < b ? a : b; }

extern "C" __global__ __cube__ void product(GM_ADDR a, GM_ADDR b, GM_ADDR c, TCubeTiling tiling) {
    const auto block = static_cast<int32_t>(GetBlockIdx());
    const int32_t rows = (tiling.M + tiling.singleCoreM - 1) / tiling.singleCoreM;
    const int32_t m = block % rows * tiling.singleCoreM, n = block / rows * tiling.singleCoreN;
    GlobalTensor<half> ga, gb;
    GlobalTensor<float> gc;
    ga.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(a) + static_cast<uint64_t>(m) * tiling.Ka);
    gb.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(b) + (TURNED ? static_cast<uint64_t>(n) * tiling.Kb : n));
    gc.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(c) + static_cast<uint64_t>(m) * tiling.N + n);
    TPipe pipe;
    Matmul<AType, BType, CType, CType, CFG_MDL> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
    mm.SetTail(Least(tiling.singleCoreM, tiling.M - m), Least(tiling.singleCoreN, tiling.N - n));
    mm.SetTensorA(ga);
    mm.SetTensorB(gb, TURNED);
    mm.IterateAll(gc);
    mm.End();
}
