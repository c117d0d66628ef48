// SPDX-License-Identifier: Apache-2.0
// The local memories of one core: UB for an AIV; L1, L0A, L0B, L0C, BT, FB for an AIC.
// Handed out poisoned. `written` is the high-water mark of each memory, so that only what was written is poisoned again.
#pragma once
#include <cstdint>

#include "aclimb/abi.h"

namespace aclimb {

// NaN in every float type, -1 in every integer: an unwritten byte that is used shows in the result.
constexpr uint8_t kPoison = 0xff;

struct LocalSizes {
    uint32_t bytes[kMemories];
};

struct LocalMemory {
    uint8_t* base[kMemories] = {};
    uint32_t size[kMemories] = {};
    uint32_t written[kMemories] = {};
    uint8_t* sparse_index = nullptr; // positions of the kept weights in L0B, a quarter of its size; no address of a kernel's reaches it
    bool sparse_index_written = false;

    explicit LocalMemory(const LocalSizes& sizes);
    ~LocalMemory();
    LocalMemory(const LocalMemory&) = delete;
    LocalMemory& operator=(const LocalMemory&) = delete;
    void poison();

  private:
    void* mapping_ = nullptr;
    size_t mapped_bytes_ = 0;
};

} // namespace aclimb
