// SPDX-License-Identifier: Apache-2.0
// Copies to and from allocations far larger than the last-level cache.
#pragma once
#include <cstddef>
#include <cstdint>

namespace aclimb {

// Below this a store around the cache costs more than it saves.
constexpr size_t kStreamBytes = 4096;

// Stores around the cache; dst on a multiple of 64, bytes a multiple of 64. Ordered by flush_stores().
void stream_copy(uint8_t* dst, const uint8_t* src, size_t bytes);

// Asks for the bytes that the next burst of a sequential reader will want.
void prefetch(const uint8_t* from, size_t bytes);

} // namespace aclimb
