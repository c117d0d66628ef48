// SPDX-License-Identifier: Apache-2.0
// Event ids: eight for every pair of pipes, and a bit mask of those in use. Queues and kernels take them from the same masks.
#pragma once
#include "aclimb/sync.h"

namespace aclimb {

ACLIMB_API uint8_t& events_in_use(Pipe src, Pipe dst) { return core()->event_used[static_cast<int>(src)][static_cast<int>(dst)]; }

ACLIMB_API int lowest_free_event(Pipe src, Pipe dst) {
    const uint32_t free = ~static_cast<uint32_t>(events_in_use(src, dst)) & 0xffu;
    if (__builtin_expect(!free, 0)) misuse(MisuseKind::event_ids_used_up, nullptr, static_cast<int>(src), static_cast<int>(dst), kEventIds);
    return __builtin_ctz(free);
}

ACLIMB_API int take_event(Pipe src, Pipe dst) {
    const int id = lowest_free_event(src, dst);
    events_in_use(src, dst) |= static_cast<uint8_t>(1u << id);
    return id;
}

ACLIMB_API void give_event(Pipe src, Pipe dst, int id) { events_in_use(src, dst) &= static_cast<uint8_t>(~(1u << (id & 7))); }

// The events of a queue between two positions: one from the producer to the consumer, one back when the buffer is free again.
struct EventPair {
    HardEvent enque, free;
};

constexpr EventPair events_between(TPosition from, TPosition to) {
    const Memory src = memory_of(from), dst = memory_of(to);
    const bool to_l0 = dst == Memory::L0A || dst == Memory::L0B;
    if (from == TPosition::CO1 || src == Memory::L0C) return {HardEvent::M_FIX, HardEvent::FIX_M};
    if (src == Memory::GM && dst == Memory::L1) return {HardEvent::MTE2_MTE1, HardEvent::MTE1_MTE2};
    if (src == Memory::GM && to_l0) return {HardEvent::MTE2_M, HardEvent::M_MTE2};
    if (src == Memory::L1 && (to_l0 || dst == Memory::BT)) return {HardEvent::MTE1_M, HardEvent::M_MTE1};
    if (src == Memory::L1 && dst == Memory::FB) return {HardEvent::MTE1_FIX, HardEvent::FIX_MTE1};
    if (src == Memory::UB && dst == Memory::L1) return {HardEvent::MTE3_MTE1, HardEvent::MTE1_MTE3};
    if (src == Memory::UB && dst == Memory::UB) return {HardEvent::MTE2_MTE3, HardEvent::MTE3_MTE2};
    if (src == Memory::UB) return {HardEvent::V_MTE3, HardEvent::MTE3_V};
    return {HardEvent::MTE2_V, HardEvent::V_MTE2};
}

} // namespace aclimb
