// SPDX-License-Identifier: Apache-2.0
// platform_ascendc::PlatformAscendC: what tiling asks about the chip.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "aclimb/op/door.h"
#include "platform/platform_infos_def.h"
#include "platform/soc_spec.h"

namespace platform_ascendc {
enum class CoreMemType { L0_A = 0, L0_B = 1, L0_C = 2, L1 = 3, L2 = 4, UB = 5, HBM = 6, FB = 7, BT = 8, RESERVED = 9 };

enum class SocVersion {
    ASCEND910 = 0,
    ASCEND910B,
    ASCEND310P,
    ASCEND310B,
    ASCEND950,
    ASCEND910_95 = ASCEND950,
    ASCEND910_55,
    AS31XM1 = 5, // counting goes on from the alias
    ASCEND031,
    ASCEND035,
    ASCEND310,
    ASCEND610,
    ASCEND610Lite,
    ASCEND910_93,
    KIRINX90 = 19,
    KIRIN9030,
    MC32DM11A,
    ASCEND350,
    RESERVED_VERSION = 99999
};

enum class ReservedSize { RESERVED_SIZE_8K = 0, RESERVED_SIZE_16K = 1, RESERVED_SIZE_32K = 2 };

class PlatformAscendC {
  public:
    explicit PlatformAscendC(fe::PlatFormInfos* platform_info) : info_(platform_info) {
        if (platform_info == nullptr) Refuse("the platform pointer is null; GetPlatformInfo() of a tiling context gives one");
    }

    uint32_t GetCoreNumAic() const { return Count("cube_core_cnt"); }
    uint32_t GetCoreNumAiv() const { return Count("vector_core_cnt"); }
    // The vector cores: the core type of every chip with separate cores.
    uint32_t GetCoreNum() const { return GetCoreNumAiv(); }
    uint32_t GetCoreNumVector() const { return GetSocVersion() == SocVersion::ASCEND310P ? Count("vector_core_cnt") : 0; }

    // Bytes. 256 at the top of UB and of L1 are not for kernels.
    void GetCoreMemSize(const CoreMemType& type, uint64_t& size) const {
        static const char* const keys[] = {"l0_a_size", "l0_b_size",   "l0_c_size", "l1_size", "l2_size",
                                           "ub_size",   "memory_size", "fb0_size",  "bt_size"};
        const size_t index = static_cast<size_t>(type);
        const bool shared = type == CoreMemType::L2 || type == CoreMemType::HBM; // by all cores
        size = index < sizeof keys / sizeof *keys ? info_->Number(shared ? "SoCInfo" : "AICoreSpec", keys[index]) : 0;
        const bool keeps = type == CoreMemType::UB || type == CoreMemType::L1;
        const uint64_t held = (keeps ? 256 : 0) + (type == CoreMemType::UB ? reserved_ : 0);
        size -= held < size ? held : size;
    }
    // Bytes in a cycle; 0 where nothing is published.
    void GetCoreMemBw(const CoreMemType& type, uint64_t& bandwidth) const {
        bandwidth = type == CoreMemType::L2    ? info_->Number("SoCInfo", "l2_rate")
                    : type == CoreMemType::HBM ? info_->Number("SoCInfo", "ddr_rate")
                                               : 0;
    }

    // Atlas A2 and A3 are both ASCEND910B.
    SocVersion GetSocVersion() const {
        std::string name;
        info_->GetPlatformRes("version", "Short_SoC_version", name);
        if (name == "Ascend910B" || name == "Ascend910_93") return SocVersion::ASCEND910B;
        if (name == "Ascend310P") return SocVersion::ASCEND310P;
        if (name == "Ascend950") return SocVersion::ASCEND950;
        return SocVersion::RESERVED_VERSION;
    }
    NpuArch GetCurNpuArch() const {
        const uint64_t arch = info_->Number("version", "NpuArch");
        return arch != 0 ? static_cast<NpuArch>(arch) : NpuArch::DAV_RESV;
    }

    // What the high-level library needs in front of the workspaces of the operator.
    uint32_t GetLibApiWorkSpaceSize() const {
        switch (GetCurNpuArch()) {
        case NpuArch::DAV_2201: return 16U << 20;
        case NpuArch::DAV_2002:
        case NpuArch::DAV_3510: return 2U << 20;
        default: return UINT32_MAX;
        }
    }
    uint32_t GetResCubeGroupWorkSpaceSize() const { return GetSocVersion() == SocVersion::ASCEND910B ? 1U << 20 : UINT32_MAX; }
    uint32_t GetResGroupBarrierWorkSpaceSize() const { return GetResCubeGroupWorkSpaceSize(); }

    // Blocks for a kernel with both kinds of cores: one block is an AIC with its AIVs.
    uint32_t CalcTschNumBlocks(uint32_t slice_num, uint32_t aic_core_num, uint32_t aiv_core_num) const {
        if (aic_core_num == 0 || aiv_core_num == 0 || aic_core_num > aiv_core_num) return slice_num;
        const uint32_t ratio = aiv_core_num / aic_core_num, blocks = (slice_num + ratio - 1) / ratio;
        return ratio == 2 && blocks > aic_core_num ? 0 : blocks;
    }
    uint32_t CalcTschBlockDim(uint32_t slice_num, uint32_t aic_core_num, uint32_t aiv_core_num) const {
        return CalcTschNumBlocks(slice_num, aic_core_num, aiv_core_num);
    }

    // So much less of UB from now on, for this object.
    void ReserveLocalMemory(ReservedSize size) { reserved_ = uint64_t{8192} << static_cast<int>(size); }
    uint32_t GetVecRegLen() const { return static_cast<uint32_t>(info_->Number("AICoreSpec", "vector_reg_width")); }

  private:
    [[noreturn]] static void Refuse(const char* why) {
#if defined(__cpp_exceptions) || defined(__EXCEPTIONS)
        throw std::invalid_argument(std::string("PlatformAscendC: ") + why); // it becomes the operator's error
#else
        std::fprintf(stderr, "PlatformAscendC: %s\n", why);
        std::abort();
#endif
    }
    uint32_t Count(const char* key) const { return static_cast<uint32_t>(info_->Number("SoCInfo", key)); }

    const fe::PlatFormInfos* info_;
    uint64_t reserved_ = 0;
};

class PlatformAscendCManager {
  public:
    static PlatformAscendC* GetInstance() { return Instance(nullptr); }
    // The first call says which chip it is; later ones get the same. nullptr, and a line, when there is no such chip.
    static PlatformAscendC* GetInstance(const char* custom_soc_version) { return Instance(custom_soc_version); }

  private:
    static ACLIMB_OP_OWN PlatformAscendC* Instance(const char* soc) {
        static fe::PlatFormInfos info;
        if (info.IsEmpty()) {
            const char* lines = aclimb::op::connection().platform(soc);
            if (lines == nullptr) {
                std::fprintf(stderr, "PlatformAscendCManager: %s is not a chip that aclimb knows\n", soc != nullptr ? soc : "the device");
                return nullptr;
            }
            info = fe::PlatFormInfos(lines);
        }
        static PlatformAscendC instance(&info);
        return &instance;
    }
};
} // namespace platform_ascendc
