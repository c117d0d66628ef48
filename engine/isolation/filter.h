// SPDX-License-Identifier: Apache-2.0
// What a device process gives up before it touches anything of a stranger's.
#pragma once
#include <cstdint>

namespace aclimb {

// Sets the limit on memory beyond what is mapped now and closes the filter, for all threads. False: this system has no such filter.
bool close_filter(uint64_t memory_limit);

} // namespace aclimb
