// SPDX-License-Identifier: Apache-2.0
// A product with a sparse B: of every four elements along k two are kept.
#define ASCENDC_CUBE_ONLY
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

#ifndef B_FORMAT
#define B_FORMAT ND
#endif

extern "C" __global__ __cube__ void kept(GM_ADDR a, GM_ADDR b, GM_ADDR index, GM_ADDR c, TCubeTiling tiling, int32_t turns, int32_t knows) {
    using InA = MatmulType<TPosition::GM, CubeFormat::ND, int8_t>;
    using InB = SparseMatmulType<TPosition::GM, TPosition::GM, CubeFormat::B_FORMAT, int8_t, true>;
    using Out = MatmulType<TPosition::GM, CubeFormat::ND, int32_t>;
    const int32_t n = static_cast<int32_t>(GetBlockIdx()) * tiling.singleCoreN; // cores split N
    GlobalTensor<int8_t> ga, gb;
    GlobalTensor<uint8_t> gindex;
    GlobalTensor<int32_t> gc;
    ga.SetGlobalBuffer(reinterpret_cast<__gm__ int8_t*>(a));
    gb.SetGlobalBuffer(reinterpret_cast<__gm__ int8_t*>(b));
    gindex.SetGlobalBuffer(reinterpret_cast<__gm__ uint8_t*>(index));
    gc.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t*>(c));
    TPipe pipe;
    Matmul<InA, InB, Out, Out, CFG_MDL> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
    mm.SetTail(-1, tiling.N - n < tiling.singleCoreN ? tiling.N - n : tiling.singleCoreN);
    mm.SetTensorA(ga);
    mm.SetTensorB(gb[static_cast<uint64_t>(n) * (InB::format == CubeFormat::NZ ? 32 : tiling.Kb / 2)], turns);
    if (knows) mm.SetSparseIndex(gindex[static_cast<uint64_t>(n) * 8]);
    mm.IterateAll(gc[static_cast<uint64_t>(n)]);
    mm.End();
}
