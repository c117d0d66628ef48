// SPDX-License-Identifier: Apache-2.0
// Mc2CcTilingConfig: what an operator's tiling tells Hccl of a collective operation. A kernel takes it with SetCcTilingV2.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "hccl/hccl_types.h"
#include "kernel_tiling/hccl_tilings.h"

namespace AscendC {

// Each setter answers 0, or 1 for a value that it does not take. Algorithm, engine, queues and blocks steer hardware that is not modelled:
// they are taken and do nothing.
class Mc2CcTilingConfig {
  public:
    Mc2CcTilingConfig(const std::string& groupName, uint32_t opType, const std::string& algConfig, uint32_t reduceType = 0,
                      uint8_t dstDataType = 0, uint8_t srcDataType = 0, uint8_t commEngine = 0) {
        SetGroupName(groupName);
        SetOpType(opType);
        SetAlgConfig(algConfig);
        SetReduceType(reduceType, dstDataType, srcDataType);
        SetCommEngine(commEngine);
    }

    uint32_t SetOpType(uint32_t opType) {
        words_.command = opType;
        return !is_known(opType);
    }
    uint32_t SetGroupName(const std::string& groupName) { return take(group_, groupName); }
    uint32_t SetAlgConfig(const std::string& algConfig) { return take(algorithm_, algConfig); }
    uint32_t SetReduceType(uint32_t reduceType, uint8_t = 0, uint8_t = 0) {
        words_.reduce = reduceType;
        return 0;
    }
    uint32_t SetSkipLocalRankCopy(uint8_t skipLocalRankCopy) { // Atlas A2: AllGather and AlltoAll leave a rank's own block alone
        words_.skips_own = skipLocalRankCopy;
        return skipLocalRankCopy > 1;
    }
    uint32_t SetSkipBufferWindowCopy(uint8_t skipBufferWindowCopy) {
        words_.window_copy = skipBufferWindowCopy;
        return skipBufferWindowCopy > 2;
    }
    uint32_t SetStepSize(uint8_t stepSize) {
        step_ = stepSize;
        return stepSize != 0;
    }
    uint32_t SetCommEngine(uint8_t commEngine) {
        words_.comm_engine = commEngine;
        return 0;
    }
    uint32_t SetDebugMode(uint8_t) { return 0; }
    uint32_t SetCommBlockNum(uint16_t) { return 0; }
    uint32_t SetQueueNum(uint16_t) { return 0; }

    // 1, with a line that says why, where the settings are not those of an operation that Hccl has here.
    uint32_t GetTiling(tiling::Mc2InitTiling& tiling) const {
        const aclimb::Mc2InitWords words = {aclimb::kMc2Made};
        tiling = {};
        std::memcpy(tiling.reserved, &words, sizeof words);
        return 0;
    }
    uint32_t GetTiling(tiling::Mc2CcTiling& tiling) const {
        tiling = {};
        if (!is_known(words_.command))
            return refuse("opType is %u; here it takes HCCL_CMD_ALLREDUCE, ALLGATHER, REDUCE_SCATTER, ALLTOALL and ALLTOALLV",
                          words_.command);
        if (step_) return refuse("SetStepSize is %u; a kernel commits whole rounds here: leave it 0", step_);
        std::memcpy(tiling.reserved, &words_, sizeof words_);
        return 0;
    }

  private:
    static constexpr size_t kMostText = 128;
    static bool is_known(uint32_t opType) {
        return opType == HCCL_CMD_ALLREDUCE || opType == HCCL_CMD_ALLGATHER || opType == HCCL_CMD_REDUCE_SCATTER ||
               opType == HCCL_CMD_ALLTOALL || opType == HCCL_CMD_ALLTOALLV;
    }
    static uint32_t refuse(const char* why, uint32_t value) {
        std::fprintf(stderr, "Mc2CcTilingConfig::GetTiling: ");
        std::fprintf(stderr, why, value);
        std::fprintf(stderr, "\n");
        return 1;
    }
    static uint32_t take(std::string& to, const std::string& text) {
        if (text.size() > kMostText) return 1;
        to = text;
        return 0;
    }

    std::string group_, algorithm_;
    uint32_t step_ = 0;
    aclimb::Mc2CcWords words_ = {aclimb::kMc2Made, 0, 0, 0, 0, 0, 0};
};

} // namespace AscendC
