// SPDX-License-Identifier: Apache-2.0
// fe::PlatFormInfos: the facts of a chip, by label and key. Core counts are those an operator shall use.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

namespace fe {
enum class LocalMemType { L0_A = 0, L0_B = 1, L0_C = 2, L1 = 3, L2 = 4, UB = 5, HBM = 6, RESERVED };

// A view of lines "label.key=value" that Python wrote; they stay while the process lives.
class PlatFormInfos {
  public:
    PlatFormInfos() = default;
    explicit PlatFormInfos(const char* lines) : lines_(lines) {}

    bool GetPlatformRes(const std::string& label, const std::string& key, std::string& value) const {
        const std::string name = label + "." + key + "=";
        for (const char* line = lines_; line != nullptr && *line != '\0';) {
            const char* end = std::strchr(line, '\n');
            end = end != nullptr ? end : line + std::strlen(line);
            if (std::strncmp(line, name.c_str(), name.size()) == 0) {
                value.assign(line + name.size(), end);
                return true;
            }
            line = *end == '\n' ? end + 1 : end;
        }
        return false;
    }
    bool GetPlatformResWithLock(const std::string& label, const std::string& key, std::string& value) const {
        return GetPlatformRes(label, key, value);
    }
    // 0 for what is not there.
    uint64_t Number(const char* label, const char* key) const {
        std::string value;
        return GetPlatformRes(label, key, value) ? std::strtoull(value.c_str(), nullptr, 10) : 0;
    }
    uint32_t GetCoreNum() const { return static_cast<uint32_t>(Number("SoCInfo", "vector_core_cnt")); }
    void GetLocalMemSize(const LocalMemType& type, uint64_t& size) const {
        static const char* const keys[] = {"l0_a_size", "l0_b_size", "l0_c_size", "l1_size", "l2_size", "ub_size", "memory_size"};
        const size_t index = static_cast<size_t>(type);
        const bool shared = type == LocalMemType::L2 || type == LocalMemType::HBM; // by all cores
        size = index < sizeof keys / sizeof *keys ? Number(shared ? "SoCInfo" : "AICoreSpec", keys[index]) : 0;
    }
    bool IsEmpty() const { return lines_ == nullptr || *lines_ == '\0'; }

  private:
    const char* lines_ = nullptr;
};
} // namespace fe
