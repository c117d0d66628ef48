// SPDX-License-Identifier: Apache-2.0
// total is the sum over all ranks, added up in two rounds; part is this rank's rows of the largest values. `mistake` leaves out what a
// kernel may forget: 1 SetCcTilingV2, 2 the second one, 3 where the tiling is, and tiling code, too: 4 the Mc2InitTiling.
#include "kernel_operator.h"

struct ShareRowsTilingData {
    AscendC::tiling::Mc2InitTiling initTiling;
    AscendC::tiling::Mc2CcTiling sumTiling, largestTiling;
    uint32_t length, ranks, mistake, reserved;
};

extern "C" __global__ __aicore__ void share_rows(GM_ADDR x, GM_ADDR total, GM_ADDR part, GM_ADDR workspace, GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(ShareRowsTilingData);
    GET_TILING_DATA_WITH_STRUCT(ShareRowsTilingData, data, tiling);
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    AscendC::Hccl hccl;
    hccl.InitV2(AscendC::GetHcclContext<0>(), &data);
    if (data.mistake != 1) hccl.SetCcTilingV2(data.mistake == 3 ? 8 : offsetof(ShareRowsTilingData, sumTiling));
    const auto type = AscendC::HcclDataType::HCCL_DATA_TYPE_FP32;
    auto sum = hccl.AllReduce(x, total, data.length / 2, type, AscendC::HcclReduceOp::HCCL_REDUCE_SUM, 2);
    if (data.mistake != 2) hccl.SetCcTilingV2(offsetof(ShareRowsTilingData, largestTiling));
    auto largest = hccl.ReduceScatter(x, part, data.length / data.ranks, type, AscendC::HcclReduceOp::HCCL_REDUCE_MAX, 0);
    hccl.Commit(sum);
    hccl.Commit(sum);
    hccl.Commit(largest);
    hccl.Wait(sum);
    hccl.Wait(sum);
    hccl.Wait(largest);
    hccl.Finalize();
}
