// SPDX-License-Identifier: Apache-2.0
// A program that asks Mc2CcTilingConfig: `setters` counts the answers that are wrong, the other words fill a tiling or are refused.
#include <cstring>

#include "tiling/hccl/hccl_tiling.h"

static int Setters(AscendC::Mc2CcTilingConfig& config) {
    int wrong = 0;
    wrong += config.SetOpType(HCCL_CMD_ALLGATHER) != 0;
    wrong += config.SetOpType(static_cast<uint32_t>(HcclCMDType::HCCL_CMD_ALLTOALLV)) != 0;
    wrong += config.SetOpType(HCCL_CMD_BATCH_WRITE) != 1;
    wrong += config.SetGroupName(std::string(128, 'x')) != 0;
    wrong += config.SetGroupName(std::string(129, 'x')) != 1;
    wrong += config.SetAlgConfig(std::string(128, 'x')) != 0;
    wrong += config.SetAlgConfig(std::string(129, 'x')) != 1;
    wrong += config.SetReduceType(HCCL_REDUCE_MAX) != 0;
    wrong += config.SetSkipLocalRankCopy(1) != 0;
    wrong += config.SetSkipLocalRankCopy(2) != 1;
    wrong += config.SetSkipBufferWindowCopy(2) != 0;
    wrong += config.SetSkipBufferWindowCopy(3) != 1;
    wrong += config.SetStepSize(0) != 0;
    wrong += config.SetStepSize(1) != 1;
    wrong += config.SetDebugMode(1) != 0;
    wrong += config.SetCommBlockNum(24) != 0;
    wrong += config.SetQueueNum(2) != 0;
    wrong += config.SetCommEngine(3) != 0;
    return wrong;
}

int main(int, char** argv) {
    AscendC::Mc2CcTilingConfig config("group", HCCL_CMD_ALLREDUCE, "AllReduce=level0:doublering", HCCL_REDUCE_SUM);
    Mc2InitTiling init;
    Mc2CcTiling tiling;
    if (!std::strcmp(argv[1], "setters")) return Setters(config);
    if (!std::strcmp(argv[1], "type")) config.SetOpType(HCCL_CMD_BATCH_WRITE);
    if (!std::strcmp(argv[1], "step")) config.SetStepSize(2);
    if (config.GetTiling(init) != 0 || !init.reserved[0]) return 2;
    if (config.GetTiling(tiling) != 0) return tiling.reserved[0] ? 3 : 1; // refused, and nothing filled
    return !tiling.reserved[0] || tiling.reserved[100] || sizeof tiling != 280 ? 4 : 0;
}
