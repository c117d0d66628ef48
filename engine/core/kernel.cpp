// SPDX-License-Identifier: Apache-2.0
#include "core/kernel.h"

#include "core/plan.h"

namespace aclimb {

bool Image::has_data(uint64_t addr, uint64_t bytes) const {
    for (const auto& [begin, end] : segments)
        if (addr >= begin && addr <= end && bytes <= end - addr) return true;
    return false;
}

bool Kernel::has_code(uint64_t pc) const {
    if ((aic_image && aic_image->has_code(pc)) || (aiv_image && aiv_image->has_code(pc))) return true;
    if (!plan) return false;
    for (const auto& sub : plan->subs) {
        if (sub.kernel && sub.kernel->has_code(pc)) return true;
        for (const auto& [key, kernel] : sub.by_key)
            if (kernel->has_code(pc)) return true;
    }
    return false;
}

bool Kernel::has_data(uint64_t addr, uint64_t bytes) const {
    if ((aic_image && aic_image->has_data(addr, bytes)) || (aiv_image && aiv_image->has_data(addr, bytes))) return true;
    if (!plan) return false;
    for (const auto& sub : plan->subs) {
        if (sub.kernel && sub.kernel->has_data(addr, bytes)) return true;
        for (const auto& [key, kernel] : sub.by_key)
            if (kernel->has_data(addr, bytes)) return true;
    }
    return false;
}

void Kernel::find_block_local() {
    for (int kind : {0, 1}) {
        std::set<Image*> found;
        auto look = [&](const Kernel& kernel) {
            Image* image = (kind == 0 ? kernel.aic_image : kernel.aiv_image).get();
            if (image && image->has_block_local()) found.insert(image);
        };
        look(*this);
        if (plan)
            for (const auto& sub : plan->subs) {
                look(*sub.kernel);
                for (const auto& [key, kernel] : sub.by_key) look(*kernel);
            }
        block_local[kind].assign(found.begin(), found.end());
    }
}

} // namespace aclimb
