// SPDX-License-Identifier: Apache-2.0
#include "check/taping.h"

#include "core/launch.h"
#include "core/plan.h"

namespace aclimb::check {
Taping::Taping(const Launch& launch)
    : tape(launch.num_blocks, aics_per_block(launch.kernel->type), aivs_per_block(launch.kernel->type)),
      cores_(static_cast<size_t>(launch.units)) {}

void Taping::issued(const Core& core, const Head& head, const Spot& spot) {
    Writing& writing = cores_[static_cast<size_t>(core.unit)];
    auto& events = tape.core(core.unit).events;
    const auto index = static_cast<uint32_t>(events.size());
    TapeEvent& made = events.emplace_back();
    made.pipe = head.pipe;
    made.spot = spot;
    made.member = spot.sub;
    if (spot.sub >= 0) writing.member = spot.sub;
    const Effect effect = effect_of(core, head);
    made.early_set = effect.is_early_set;
    made.early_wait = effect.is_early_wait || (effect.is_of_plan && writing.in_wait);
    if (spot.sub < 0 && effect.is_of_plan) {
        made.early_set = effect.signals == Meet::cross;
        made.early_wait = effect.waits == Meet::cross;
        made.member = writing.member;
    }
    if (effect.is_early_wait) writing.in_wait++;
    writing.in_flight.issued(head.pipe, index);
}

void Taping::ran(const Core& core, const Head& head, const Effect& effect, const std::vector<Touch>& touches) {
    Writing& writing = cores_[static_cast<size_t>(core.unit)];
    CoreTape& own = tape.core(core.unit);
    if (effect.is_early_wait) writing.in_wait--;
    TapeEvent& event = own.events[writing.in_flight.ran(head.pipe)];
    event.effect = effect;
    event.has_run = true;
    event.first_touch = static_cast<uint32_t>(own.touches.size());
    event.touches = static_cast<uint32_t>(touches.size());
    own.touches.insert(own.touches.end(), touches.begin(), touches.end());
}

void Taping::settle() {
    for (int32_t unit = 0; unit < static_cast<int32_t>(cores_.size()); unit++) {
        int32_t next = -1;
        auto& events = tape.core(unit).events;
        for (size_t i = events.size(); i-- > 0;) {
            if (events[i].spot.sub >= 0) next = events[i].spot.sub;
            else if (events[i].early_wait) events[i].member = next;
        }
    }
}

} // namespace aclimb::check
