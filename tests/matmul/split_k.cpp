// SPDX-License-Identifier: Apache-2.0
// C = A * B, K split over the blocks: the first one writes its part, the others add theirs. WAITS: nobody adds before it is written.
#define ASCENDC_CUBE_ONLY
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void split_k(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR tiling) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_0);
    TPipe pipe;
    TCubeTiling cut;
    auto* numbers = reinterpret_cast<int32_t*>(&cut);
    for (uint32_t i = 0; i < sizeof(cut) / 4; ++i) numbers[i] = reinterpret_cast<__gm__ int32_t*>(tiling)[i];
    GlobalTensor<half> ga, gb;
    GlobalTensor<float> gc;
    ga.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(a) + GetBlockIdx() * cut.singleCoreK);
    gb.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(b) + GetBlockIdx() * cut.singleCoreK * cut.N);
    gc.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(c), cut.M * cut.N);
    Matmul<MatmulType<TPosition::GM, CubeFormat::ND, half>, MatmulType<TPosition::GM, CubeFormat::ND, half>,
           MatmulType<TPosition::GM, CubeFormat::ND, float>>
        mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &cut);
    mm.SetTensorA(ga);
    mm.SetTensorB(gb);
    if (GetBlockIdx() == 0) mm.IterateAll(gc);
#ifdef WAITS
    CrossCoreSetFlag<0, PIPE_FIX>(3);
    CrossCoreWaitFlag(3);
#endif
    if (GetBlockIdx() != 0) mm.IterateAll(gc, 1);
    mm.End();
}
