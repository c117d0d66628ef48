// SPDX-License-Identifier: Apache-2.0
// platform_main [SOC]: what tiling in a program's own main asks about the chip.
#include <cinttypes>
#include <cstdio>

#include "acl/acl.h"
#include "tiling/platform/platform_ascendc.h"

int main(int argc, char** argv) {
    if (argc == 1) { // of the device, with the limit that was set
        aclInit(nullptr);
        aclrtSetDevice(0);
        if (aclrtSetDeviceResLimit(0, ACL_RT_DEV_RES_VECTOR_CORE, 6) != ACL_SUCCESS) return 2;
    }
    auto* chip =
        argc > 1 ? platform_ascendc::PlatformAscendCManager::GetInstance(argv[1]) : platform_ascendc::PlatformAscendCManager::GetInstance();
    if (chip == nullptr) return 1;
    uint64_t ub = 0, l2 = 0;
    chip->GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub);
    chip->GetCoreMemSize(platform_ascendc::CoreMemType::L2, l2);
    std::printf("%u %u %u UB %" PRIu64 " L2 %" PRIu64 " workspace %u\n", chip->GetCoreNumAic(), chip->GetCoreNumAiv(), chip->GetCoreNum(),
                ub, l2, chip->GetLibApiWorkSpaceSize());
    const bool same = chip == platform_ascendc::PlatformAscendCManager::GetInstance("Ascend910B4");
    std::printf("%s\n", same ? "one for the process" : "another");
    return argc == 1 ? aclFinalize() : 0;
}
