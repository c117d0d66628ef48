// SPDX-License-Identifier: Apache-2.0
// Page-locked host memory: an asynchronous copy may use it after the call has returned, pageable memory may not. What we hand out
// lies in a range of addresses of its own, so that a kernel that writes beside it, or after its end, faults and harms nobody's heap.
#pragma once
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "memory/address_range.h"

namespace aclimb {

struct HostBlock {
    HostBlock(uint64_t at, uint64_t bytes, bool ours, uint32_t site) : addr(at), size(bytes), owned(ours), allocated_at(site) {}
    ~HostBlock();
    HostBlock(const HostBlock&) = delete;
    HostBlock& operator=(const HostBlock&) = delete;

    const uint64_t addr, size;
    const bool owned; // false: the user's memory, registered
    const uint32_t allocated_at;
    uint32_t freed_at = 0; // places in the host program (bind/sites.h)
};

class HostMemory {
  public:
    static HostMemory& instance();
    uint64_t allocate(uint64_t size, uint32_t site = 0);           // zeros; 0: the host has no memory left
    bool add(uint64_t addr, uint64_t size);                        // false: overlaps what is there, or was there
    bool release(uint64_t addr, bool owned, uint32_t site = 0);    // false: no start of such a block. Queued copies keep the bytes alive
    std::shared_ptr<HostBlock> find(uint64_t addr, uint64_t size); // null: not all of it is page-locked
    bool find_freed(uint64_t addr, Retired& found);                // a block of ours that was freed not long ago
    bool ours(uint64_t addr) const {                               // in the range that allocate() hands out, freed or not
        const AddressRange* range = range_;
        return range && range->contains(addr);
    }
    uint64_t count(), bytes();

  private:
    friend struct HostBlock;
    void give(const HostBlock& block);

    std::mutex mutex_;
    std::map<uint64_t, std::shared_ptr<HostBlock>> live_;
    std::atomic<AddressRange*> range_{nullptr}; // from the first allocation on, for good
};

} // namespace aclimb
