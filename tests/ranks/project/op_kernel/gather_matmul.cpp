// SPDX-License-Identifier: Apache-2.0
// gather_out is what all ranks have as a, c its product with b. Block 0 of the AICs speaks to the server; each block multiplies the rows of
// every second rank.
#define ASCENDC_CUBE_ONLY
#include "gather_matmul_tiling.h"
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;
using In = MatmulType<TPosition::GM, CubeFormat::ND, half>;
using Out = MatmulType<TPosition::GM, CubeFormat::ND, float>;

extern "C" __global__ __aicore__ void gather_matmul(GM_ADDR aGM, GM_ADDR bGM, GM_ADDR cGM, GM_ADDR gatherOutGM, GM_ADDR workspaceGM,
                                                    GM_ADDR tilingGM) {
    REGISTER_TILING_DEFAULT(GatherMatmulTilingData);
    GET_TILING_DATA_WITH_STRUCT(GatherMatmulTilingData, tilingData, tilingGM);
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    if ASCEND_IS_AIV
        return;
    const TCubeTiling& cube = tilingData.cube;
    const uint64_t part = static_cast<uint64_t>(cube.M) * cube.Ka;
    Hccl<HcclServerType::HCCL_SERVER_TYPE_AICPU> hccl;
    hccl.InitV2(GetHcclContext<HCCL_GROUP_ID_0>(), &tilingData);
    if (hccl.SetCcTilingV2(offsetof(GatherMatmulTilingData, mc2CcTiling)) != HCCL_SUCCESS) return;
    const HcclHandle handle = hccl.AllGather<true>(aGM, gatherOutGM, part, HcclDataType::HCCL_DATA_TYPE_FP16, 0);
    TPipe pipe;
    Matmul<In, In, Out> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &cube);
    GlobalTensor<half> gathered, b;
    GlobalTensor<float> c;
    b.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(bGM), cube.Kb * cube.N);
    hccl.Wait(handle);
    for (uint32_t rank = GetBlockIdx(); rank < hccl.GetRankDim(); rank += GetBlockNum()) {
        gathered.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(gatherOutGM) + rank * part, part);
        c.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(cGM) + rank * cube.M * cube.N, cube.M * cube.N);
        mm.SetTensorA(gathered);
        mm.SetTensorB(b);
        mm.IterateAll(c);
    }
    mm.End();
    hccl.Finalize();
}
