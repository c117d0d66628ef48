// SPDX-License-Identifier: Apache-2.0
// Order inside one core: flags between pipes, barriers. A flag or barrier of a pipe this core does not have belongs to code that is
// shared by both passes, and vanishes.
#pragma once
#include "aclimb/local_tensor.h"

namespace aclimb {

constexpr bool has_event(HardEvent event) { return has_pipe(source_of(event)) && has_pipe(target_of(event)); }
constexpr bool is_barrier(HardEvent event) { return source_of(event) == target_of(event); } // V_V, FIX_FIX

} // namespace aclimb

namespace AscendC {

template <pipe_t pipe> ACLIMB_API void PipeBarrier() {
    static_assert(pipe != PIPE_S, "aclimb: PipeBarrier<PIPE_S> does not exist, the scalar unit runs in order; "
                                  "use PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_FIX or PIPE_ALL");
    if constexpr (aclimb::has_pipe(static_cast<aclimb::Pipe>(pipe))) aclimb::barrier(static_cast<aclimb::Pipe>(pipe));
}

template <HardEvent event> ACLIMB_API void SetFlag(int32_t eventID) {
    static_assert(event < HardEvent::MAX, "aclimb: SetFlag takes a HardEvent such as HardEvent::MTE2_V");
    constexpr aclimb::Pipe src = aclimb::source_of(event), dst = aclimb::target_of(event);
    if constexpr (!aclimb::has_event(event)) {
        return;
    } else if constexpr (aclimb::is_barrier(event)) {
        aclimb::barrier(src);
    } else {
        aclimb::fact<aclimb::Fact::set_flag, static_cast<uint64_t>(src) * 8 + static_cast<uint64_t>(dst)>();
        aclimb::require_range("eventID of SetFlag", eventID, 0, aclimb::kEventIds - 1);
        aclimb::set_flag(src, dst, eventID);
    }
}

template <HardEvent event> ACLIMB_API void WaitFlag(int32_t eventID) {
    static_assert(event < HardEvent::MAX, "aclimb: WaitFlag takes a HardEvent such as HardEvent::MTE2_V");
    if constexpr (aclimb::has_event(event) && !aclimb::is_barrier(event)) {
        aclimb::require_range("eventID of WaitFlag", eventID, 0, aclimb::kEventIds - 1);
        aclimb::wait_flag(aclimb::source_of(event), aclimb::target_of(event), eventID);
    }
}

// SetFlag and WaitFlag with the two pipes as they are.
template <pipe_t src, pipe_t dst> class TQueSync {
  public:
    ACLIMB_API void SetFlag(TEventID id) {
        if constexpr (here) {
            aclimb::fact<aclimb::Fact::set_flag, static_cast<uint64_t>(src) * 8 + static_cast<uint64_t>(dst)>();
            aclimb::require_range("id of TQueSync::SetFlag", id, 0, aclimb::kEventIds - 1);
            aclimb::set_flag(static_cast<aclimb::Pipe>(src), static_cast<aclimb::Pipe>(dst), id);
        }
    }
    ACLIMB_API void WaitFlag(TEventID id) {
        if constexpr (here) {
            aclimb::require_range("id of TQueSync::WaitFlag", id, 0, aclimb::kEventIds - 1);
            aclimb::wait_flag(static_cast<aclimb::Pipe>(src), static_cast<aclimb::Pipe>(dst), id);
        }
    }

  private:
    static_assert(src != dst, "aclimb: TQueSync orders two different pipes; inside one pipe use PipeBarrier");
    static_assert(src != PIPE_ALL && dst != PIPE_ALL, "aclimb: TQueSync orders two pipes; for all of them use PipeBarrier<PIPE_ALL>");
    static constexpr bool here = aclimb::has_pipe(static_cast<aclimb::Pipe>(src)) && aclimb::has_pipe(static_cast<aclimb::Pipe>(dst));
};

// The scalar unit waits for earlier accesses to the named memory. Waiting for every pipe is more than that, and never less.
template <MemDsbT = MemDsbT::ALL> ACLIMB_API void DataSyncBarrier() { aclimb::barrier(aclimb::Pipe::ALL); }

} // namespace AscendC
