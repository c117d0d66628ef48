// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace aclimb {

constexpr uint64_t kPage = 4096, kHuge = 2 << 20; // bytes of the host's pages

} // namespace aclimb
