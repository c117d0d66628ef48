// SPDX-License-Identifier: Apache-2.0
// c[m, n] = a[m, k] * b[k, n] + bias[n] with the library's Matmul object: half in, float out. The tiling says which core makes which part
// of c, and how the object cuts that into blocks; matmul_object.py asks aclimb.tiling for one.
#define ASCENDC_CUBE_ONLY
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

using AType = MatmulType<TPosition::GM, CubeFormat::ND, half>;
using BType = MatmulType<TPosition::GM, CubeFormat::ND, half>;
using CType = MatmulType<TPosition::GM, CubeFormat::ND, float>;
using BiasType = MatmulType<TPosition::GM, CubeFormat::ND, float>;

__aicore__ inline int32_t Least(int32_t a, int32_t b) { return a < b ? a : b; }

extern "C" __global__ __cube__ void matmul_object(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, TCubeTiling tiling) {
    const auto block = static_cast<int32_t>(GetBlockIdx());
    if (block >= tiling.usedCoreNum) return;
    const int32_t rows = (tiling.M + tiling.singleCoreM - 1) / tiling.singleCoreM; // of parts
    const int32_t m = block % rows * tiling.singleCoreM, n = block / rows * tiling.singleCoreN;

    GlobalTensor<half> ga, gb;
    GlobalTensor<float> gbias, gc;
    ga.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(a) + static_cast<uint64_t>(m) * tiling.Ka);
    gb.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(b) + n);
    gbias.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(bias) + n);
    gc.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(c) + static_cast<uint64_t>(m) * tiling.N + n);

    TPipe pipe;
    Matmul<AType, BType, CType, BiasType, CFG_MDL> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
    mm.SetTail(Least(tiling.singleCoreM, tiling.M - m), Least(tiling.singleCoreN, tiling.N - n)); // the last parts may be smaller
    mm.SetTensorA(ga);
    mm.SetTensorB(gb);
    mm.SetBias(gbias);
    mm.IterateAll(gc);
    mm.End();
}
