// SPDX-License-Identifier: Apache-2.0
// GetSystemCycle: a counter of 50 MHz on Atlas A2 and A3. Host time, the same counter for all cores.
#include <chrono>

#include "core/core.h"

namespace aclimb {

bool execute_system_cycle(Core&, Head& head) {
    constexpr int64_t kNanosecondsPerTick = 20;
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    const int64_t nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
    reinterpret_cast<ScalarAccess&>(head).value = static_cast<uint64_t>(nanoseconds / kNanosecondsPerTick);
    return true;
}

} // namespace aclimb
