// SPDX-License-Identifier: Apache-2.0
// c = a * b^T on half matrices with the library's Matmul object, one part of c for each core; the tiling says how it is cut.
#define ASCENDC_CUBE_ONLY
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

using AType = MatmulType<TPosition::GM, CubeFormat::ND, half>;
using BType = MatmulType<TPosition::GM, CubeFormat::ND, half, true>;
using CType = MatmulType<TPosition::GM, CubeFormat::ND, half>;

constexpr MatmulConfig WithUnitFlag() {
    MatmulConfig config = CFG_MDL;
    config.enUnitFlag = true;
    return config;
}
constexpr MatmulConfig kUnitFlag = WithUnitFlag();

template <const MatmulConfig& config>
__aicore__ inline void Multiply(GM_ADDR a, GM_ADDR b, GM_ADDR c, TCubeTiling& tiling, uint32_t rounds) {
    GlobalTensor<half> ga, gb, gc;
    ga.SetGlobalBuffer((__gm__ half*)a);
    gb.SetGlobalBuffer((__gm__ half*)b);
    gc.SetGlobalBuffer((__gm__ half*)c);
    TPipe pipe;
    Matmul<AType, BType, CType, CType, config> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
    const int32_t block = GetBlockIdx(), down = tiling.M / tiling.singleCoreM / static_cast<int32_t>(rounds);
    for (int32_t round = 0; round < static_cast<int32_t>(rounds); ++round) {
        const int64_t row = (block % down + round * down) * int64_t{tiling.singleCoreM},
                      column = block / down * int64_t{tiling.singleCoreN};
        if (column >= tiling.N) return;
        mm.SetTensorA(ga[row * tiling.Ka]);
        mm.SetTensorB(gb[column * tiling.Kb], true);
        mm.SetTail(tiling.singleCoreM, tiling.N - column < tiling.singleCoreN ? tiling.N - column : tiling.singleCoreN);
        mm.IterateAll(gc[row * tiling.N + column]);
    }
    mm.End();
}

extern "C" __global__ __cube__ void matmul_norm(GM_ADDR a, GM_ADDR b, GM_ADDR c, TCubeTiling tiling, uint32_t rounds) {
    Multiply<CFG_NORM>(a, b, c, tiling, rounds);
}

extern "C" __global__ __cube__ void matmul_mdl(GM_ADDR a, GM_ADDR b, GM_ADDR c, TCubeTiling tiling, uint32_t rounds) {
    Multiply<CFG_MDL>(a, b, c, tiling, rounds);
}

extern "C" __global__ __cube__ void matmul_unit_flag(GM_ADDR a, GM_ADDR b, GM_ADDR c, TCubeTiling tiling, uint32_t rounds) {
    Multiply<kUnitFlag>(a, b, c, tiling, rounds);
}
