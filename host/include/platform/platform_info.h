// SPDX-License-Identifier: Apache-2.0
// fe::PlatformInfoManager: the facts of a chip by its name.
#pragma once
#include "aclimb/op/door.h"
#include "platform/platform_infos_def.h"

namespace fe {
class OptionalInfos {
  public:
    std::string GetSocVersion() const { return soc_version_; }
    void SetSocVersion(const std::string& soc_version) { soc_version_ = soc_version; }

  private:
    std::string soc_version_;
};

class PlatformInfoManager {
  public:
    static PlatformInfoManager& Instance() { return Own(); }
    static PlatformInfoManager& GeInstance() { return Own(); }
    uint32_t InitializePlatformInfo() { return 0; }
    uint32_t Finalize() { return 0; }

    // 0 when the chip is known.
    ACLIMB_OP_OWN uint32_t GetPlatformInfos(const std::string& soc, PlatFormInfos& infos, OptionalInfos& optional) {
        const char* lines = aclimb::op::connection().platform(soc.c_str());
        if (lines == nullptr) return 1;
        infos = PlatFormInfos(lines);
        optional.SetSocVersion(soc);
        return 0;
    }
    // Of the current device.
    ACLIMB_OP_OWN uint32_t GetPlatformInfoWithOutSocVersion(PlatFormInfos& infos, OptionalInfos& optional) {
        const char* lines = aclimb::op::connection().platform(nullptr);
        std::string soc;
        if (lines == nullptr) return 1;
        infos = PlatFormInfos(lines);
        infos.GetPlatformRes("version", "SoC_version", soc);
        optional.SetSocVersion(soc);
        return 0;
    }

  private:
    PlatformInfoManager() = default;
    static ACLIMB_OP_OWN PlatformInfoManager& Own() {
        static PlatformInfoManager manager;
        return manager;
    }
};
} // namespace fe
