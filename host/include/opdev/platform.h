// SPDX-License-Identifier: Apache-2.0
// The chip in use. Its facts are the ones that tiling sees (tiling/platform/platform_ascendc.h).
#pragma once
#include <string>

#include "platform/platform_info.h"
#include "tiling/platform/platform_ascendc.h"

namespace op {
enum class SocVersion {
    ASCEND910B,
    ASCEND910_93,
    ASCEND910,
    ASCEND310P,
    ASCEND310B,
    ASCEND310,
    ASCEND910_95,
    ASCEND950 = ASCEND910_95,
    RESERVED_VERSION = 99999
};

class PlatformInfo {
  public:
    // A2 and A3 are two, other than in tiling.
    SocVersion GetSocVersion() const {
        const std::string name = text("Short_SoC_version");
        return name == "Ascend910B"     ? SocVersion::ASCEND910B
               : name == "Ascend910_93" ? SocVersion::ASCEND910_93
                                        : SocVersion::RESERVED_VERSION;
    }
    std::string GetSocLongVersion() const { return text("SoC_version"); }
    int64_t GetBlockSize() const { return 32; }
    uint32_t GetCubeCoreNum() const { return chip().GetCoreNumAic(); }
    uint32_t GetVectorCoreNum() const { return chip().GetCoreNumAiv(); }
    bool Valid() const { return true; }

  private:
    static platform_ascendc::PlatformAscendC& chip() { return *platform_ascendc::PlatformAscendCManager::GetInstance(); }
    static std::string text(const char* key) {
        const char* lines = aclimb::op::connection().platform(nullptr);
        std::string found;
        if (lines != nullptr) fe::PlatFormInfos(lines).GetPlatformRes("version", key, found);
        return found;
    }
};
inline const PlatformInfo& GetCurrentPlatformInfo() {
    static const PlatformInfo info{};
    return info;
}
} // namespace op
