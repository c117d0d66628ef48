// SPDX-License-Identifier: Apache-2.0
// What the parts of a launch's checker share: who a message is for, which slot an event has, whether a set takes effect.
#pragma once
#include "core/core.h"
#include "core/launch.h"
#include "core/plan.h"

namespace aclimb::check {

inline int32_t unit_of_peer(const Core& core, int32_t peer) {
    const int aics = aics_per_block(core.launch->kernel->type), per_block = aics + aivs_per_block(core.launch->kernel->type);
    const int32_t first = core.unit / per_block * per_block;
    return first + (peer == kToCube ? 0 : aics + peer);
}
inline uint64_t letter_box(int32_t to, int32_t from) {
    return static_cast<uint64_t>(to) << 32 | static_cast<uint32_t>(from) | uint64_t{1} << 63;
}

// Where a core that commits a round of Hccl, and those that wait for it, meet.
inline uint64_t collective_box(const HcclTask& task) {
    return uint64_t{3} << 60 | uint64_t{task.group} << 32 | static_cast<uint32_t>(task.handle);
}

inline uint64_t event_box(const Core& core, const GmSync& sync, bool is_set) {
    const auto cores = static_cast<uint64_t>(core.block_num * core.task_ratio);
    const uint64_t slot = static_cast<uint64_t>(sync.event_id) * cores + static_cast<uint64_t>(sync.block_idx);
    return sync.gm.addr + slot * 32 + (is_set ? 0 : 1);
}

inline bool sets_early(const Core& core) {
    return has_early_start(core) && core.origin.sub >= 0 && core.launch->kernel->plan->subs[static_cast<size_t>(core.origin.sub)].sets;
}

} // namespace aclimb::check
