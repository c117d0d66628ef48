// SPDX-License-Identifier: Apache-2.0
// What PlatformAscendC says: of the chip that a tiling function sees, and of one that the manager is asked for.
#include <string>

#include "checks.h"
#include "platform/platform_info.h"
#include "register/op_def_registry.h"

using platform_ascendc::CoreMemType;
using platform_ascendc::PlatformAscendC;
using platform_ascendc::PlatformAscendCManager;

static std::string text;

static void describe(PlatformAscendC chip) {
    text = std::to_string(chip.GetCoreNumAic()) + " " + std::to_string(chip.GetCoreNumAiv()) + " " + std::to_string(chip.GetCoreNum()) +
           " " + std::to_string(chip.GetCoreNumVector());
    const CoreMemType types[] = {CoreMemType::UB, CoreMemType::L1,  CoreMemType::L0_A, CoreMemType::L0_B, CoreMemType::L0_C,
                                 CoreMemType::L2, CoreMemType::HBM, CoreMemType::BT,   CoreMemType::FB,   CoreMemType::RESERVED};
    for (CoreMemType type : types) {
        uint64_t size = 1;
        chip.GetCoreMemSize(type, size);
        text += " " + std::to_string(size);
    }
    text += " " + std::to_string(static_cast<int>(chip.GetSocVersion())) + " " +
            std::to_string(static_cast<uint32_t>(chip.GetCurNpuArch())) + " " + std::to_string(chip.GetLibApiWorkSpaceSize()) + " " +
            std::to_string(chip.GetResCubeGroupWorkSpaceSize()) + " " + std::to_string(chip.GetResGroupBarrierWorkSpaceSize()) + " " +
            std::to_string(chip.GetVecRegLen());
    uint64_t bandwidth = 1;
    chip.GetCoreMemBw(CoreMemType::L2, bandwidth);
    text += " " + std::to_string(bandwidth);
}

EXPORT const char* chip_text(const char* soc) {
    fe::PlatFormInfos infos;
    fe::OptionalInfos optional;
    text = "unknown";
    if (fe::PlatformInfoManager::Instance().GetPlatformInfos(soc, infos, optional) == 0) describe(PlatformAscendC(&infos));
    return text.c_str();
}
EXPORT const char* current_text() {
    fe::PlatFormInfos infos;
    fe::OptionalInfos optional;
    fe::PlatformInfoManager::GeInstance().InitializePlatformInfo();
    if (fe::PlatformInfoManager::GeInstance().GetPlatformInfoWithOutSocVersion(infos, optional) != 0) return "none";
    PlatformAscendC chip(&infos);
    text = optional.GetSocVersion() + " " + std::to_string(chip.GetCoreNumAic()) + " " + std::to_string(chip.GetCoreNumAiv());
    return text.c_str();
}
// The first call decides.
EXPORT const char* manager_text(const char* soc) {
    PlatformAscendC* chip = PlatformAscendCManager::GetInstance(soc);
    if (chip == nullptr) return "none";
    text = std::to_string(chip->GetCoreNumAic()) + (chip == PlatformAscendCManager::GetInstance() ? " same" : " other");
    return text.c_str();
}

TEST(the_rest_of_the_platform) {
    fe::PlatFormInfos infos("version.Short_SoC_version=Ascend910B\nAICoreSpec.ub_size=196608\nSoCInfo.vector_core_cnt=48\nlast.key=x");
    std::string value;
    CHECK(infos.GetPlatformRes("last", "key", value) && value == "x");
    CHECK(infos.GetPlatformResWithLock("version", "Short_SoC_version", value) && value == "Ascend910B");
    CHECK(!infos.GetPlatformRes("version", "Short", value) && value == "Ascend910B");
    EQUAL(infos.GetCoreNum(), 48u);
    uint64_t size = 0;
    infos.GetLocalMemSize(fe::LocalMemType::UB, size);
    EQUAL(size, 196608u);
    infos.GetLocalMemSize(fe::LocalMemType::L2, size);
    EQUAL(size, 0u);
    CHECK(!infos.IsEmpty() && fe::PlatFormInfos().IsEmpty());
    PlatformAscendC chip(&infos);
    chip.ReserveLocalMemory(platform_ascendc::ReservedSize::RESERVED_SIZE_16K);
    chip.GetCoreMemSize(CoreMemType::UB, size);
    EQUAL(size, 196608u - 256 - 16384);
    EQUAL(chip.CalcTschNumBlocks(48, 24, 48), 24u);
    EQUAL(chip.CalcTschBlockDim(5, 24, 48), 3u);
    EQUAL(chip.CalcTschNumBlocks(50, 24, 48), 0u); // more than there are AICs
    EQUAL(chip.CalcTschNumBlocks(7, 0, 48), 7u);
    EQUAL(chip.CalcTschNumBlocks(7, 48, 24), 7u);
    EQUAL(chip.CalcTschNumBlocks(7, 24, 24), 7u);
    EQUAL(static_cast<int>(platform_ascendc::SocVersion::ASCEND910_95), 4);
    EQUAL(static_cast<int>(platform_ascendc::SocVersion::AS31XM1), 5);
    EQUAL(static_cast<int>(platform_ascendc::SocVersion::ASCEND610Lite), 10);
    EQUAL(static_cast<int>(platform_ascendc::SocVersion::ASCEND910_93), 11);
    EQUAL(static_cast<int>(platform_ascendc::SocVersion::ASCEND350), 22);
    EQUAL(static_cast<int>(CoreMemType::RESERVED), 9);
}

static ge::graphStatus tile(gert::TilingContext* context) {
    describe(PlatformAscendC(context->GetPlatformInfo()));
    context->SetBlockDim(1);
    return ge::GRAPH_FAILED; // seen enough
}
EXPORT const char* last_text() { return text.c_str(); }

namespace ops {
class Platform : public OpDef {
  public:
    explicit Platform(const char* name) : OpDef(name) {
        this->Input("x").DataType({ge::DT_FLOAT});
        this->Output("y").Follow("x");
        this->AICore().SetTiling(tile);
    }
};
OP_ADD(Platform);
} // namespace ops
