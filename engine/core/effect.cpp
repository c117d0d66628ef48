// SPDX-License-Identifier: Apache-2.0
// What effect_of (isa/effect.h) has to know of the core that issues; and SetNextTaskStart, whose effect the plan decides.
#include "core/launch.h"
#include "core/plan.h"

namespace aclimb {

Effect effect_of_actor(const Core& core, const Head& head, int32_t sub) {
    Effect made = effect_of({core, core.unit, core.first_unit, core.first_aiv, core.core_idx}, head);
    if (made.is_early_set && sub >= 0 && has_early_start(core) && core.launch->kernel->plan->subs[static_cast<size_t>(sub)].sets) {
        made.signals = Meet::cross; // to all cores of its kind
        made.id = flag_of_all(core.core_type);
    }
    return made;
}

} // namespace aclimb
