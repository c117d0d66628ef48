// SPDX-License-Identifier: Apache-2.0
// What effect_of (isa/effect.h) has to know of the core that issues.
#include "core/launch.h"
#include "core/plan.h"

namespace aclimb {

Effect effect_of(const Core& core, const Head& head, int32_t sub) {
    const int aics = aics_per_block(core.launch->kernel->type), per_block = aics + aivs_per_block(core.launch->kernel->type);
    const bool starts_next = sub >= 0 && has_early_start(core) && core.launch->kernel->plan->subs[static_cast<size_t>(sub)].sets;
    return effect_of(
        {core, core.unit, core.unit / per_block * per_block, aics, core.core_idx, starts_next ? flag_of_all(core.core_type) : -1}, head);
}

} // namespace aclimb
