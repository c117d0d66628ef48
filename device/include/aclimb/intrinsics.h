// SPDX-License-Identifier: Apache-2.0
// The compiler's built-in functions that kernels mix with the API: flags, barriers, the mask register, cross-core flags. The other ones
// are in raw_vector.h and raw_movement.h.
#pragma once
#include "aclimb/cross_core.h"

namespace aclimb {

// The pair is a constant in every kernel, but an ordinary argument: of all these cases one stays.
template <HardEvent event = HardEvent::MTE2_MTE1> ACLIMB_API void leave_set_flag_fact(Pipe src, Pipe dst) {
    if constexpr (event < HardEvent::MAX) {
        if (src == source_of(event) && dst == target_of(event))
            fact<Fact::set_flag, static_cast<uint64_t>(source_of(event)) * 8 + static_cast<uint64_t>(target_of(event))>();
        else leave_set_flag_fact<static_cast<HardEvent>(static_cast<int>(event) + 1)>(src, dst);
    }
}

} // namespace aclimb

ACLIMB_API void set_flag(pipe_t src, pipe_t dst, int32_t id) {
    const auto from = static_cast<aclimb::Pipe>(src), to = static_cast<aclimb::Pipe>(dst);
    if (!aclimb::has_pipe(from) || !aclimb::has_pipe(to)) return;
    aclimb::leave_set_flag_fact(from, to);
    aclimb::require_range("id of set_flag", id, 0, aclimb::kEventIds - 1);
    aclimb::set_flag(from, to, id);
}
ACLIMB_API void wait_flag(pipe_t src, pipe_t dst, int32_t id) {
    const auto from = static_cast<aclimb::Pipe>(src), to = static_cast<aclimb::Pipe>(dst);
    if (!aclimb::has_pipe(from) || !aclimb::has_pipe(to)) return;
    aclimb::require_range("id of wait_flag", id, 0, aclimb::kEventIds - 1);
    aclimb::wait_flag(from, to, id);
}
ACLIMB_API void pipe_barrier(pipe_t pipe) {
    if (aclimb::has_pipe(static_cast<aclimb::Pipe>(pipe))) aclimb::barrier(static_cast<aclimb::Pipe>(pipe));
}

ACLIMB_API void set_mask_norm() { AscendC::SetMaskNorm(); }
ACLIMB_API void set_mask_count() { AscendC::SetMaskCount(); }
ACLIMB_API void set_vector_mask(uint64_t high, uint64_t low) { aclimb::set_mask_bits(high, low); }
ACLIMB_API void set_atomic_none() { AscendC::SetAtomicNone(); }

// config: 1, the mode in bits 4 and 5, the flag id from bit 8 on.
ACLIMB_API void ffts_cross_core_sync(pipe_t pipe, uint64_t config) {
    const uint64_t mode = (config >> 4) & 3, id = (config >> 8) & 15;
    aclimb::require_range("mode of ffts_cross_core_sync", static_cast<int64_t>(mode), 0, 2);
    if (!aclimb::has_pipe(static_cast<aclimb::Pipe>(pipe))) return;
    aclimb::fact<aclimb::Fact::cross_core>();
    aclimb::cross_set(static_cast<uint8_t>(mode), static_cast<aclimb::Pipe>(pipe), static_cast<uint8_t>(id), false);
}
ACLIMB_API void wait_flag_dev(uint64_t id) { AscendC::CrossCoreWaitFlag(static_cast<uint16_t>(id)); }
ACLIMB_API void set_ffts_base_addr(uint64_t) {} // the engine has the flags
