// SPDX-License-Identifier: Apache-2.0
#include "host/host_memory.h"

#include <cstdlib>

namespace aclimb {

HostBlock::~HostBlock() {
    if (owned) free(reinterpret_cast<void*>(addr));
}

HostMemory& HostMemory::instance() {
    static HostMemory& memory = *new HostMemory;
    return memory;
}

uint64_t HostMemory::allocate(uint64_t size) {
    constexpr uint64_t kAlignment = 64;
    if (size > ~uint64_t{0} / 2) return 0;
    void* at = aligned_alloc(kAlignment, (size + kAlignment - 1) / kAlignment * kAlignment);
    if (!at) return 0;
    const auto addr = reinterpret_cast<uint64_t>(at);
    std::lock_guard lock(mutex_);
    live_[addr] = std::make_shared<HostBlock>(addr, size, true);
    return addr;
}

bool HostMemory::add(uint64_t addr, uint64_t size) {
    std::lock_guard lock(mutex_);
    const auto next = live_.lower_bound(addr);
    if (next != live_.end() && next->first - addr < size) return false;
    if (next != live_.begin() && addr - std::prev(next)->first < std::prev(next)->second->size) return false;
    live_[addr] = std::make_shared<HostBlock>(addr, size, false);
    return true;
}

bool HostMemory::release(uint64_t addr, bool owned) {
    std::lock_guard lock(mutex_);
    const auto it = live_.find(addr);
    if (it == live_.end() || it->second->owned != owned) return false;
    live_.erase(it);
    return true;
}

std::shared_ptr<HostBlock> HostMemory::find(uint64_t addr, uint64_t size) {
    std::lock_guard lock(mutex_);
    auto it = live_.upper_bound(addr);
    if (it == live_.begin()) return nullptr;
    --it;
    const auto& block = it->second;
    return addr - block->addr < block->size && size <= block->size - (addr - block->addr) ? block : nullptr;
}

uint64_t HostMemory::count() {
    std::lock_guard lock(mutex_);
    uint64_t owned = 0;
    for (const auto& [addr, block] : live_) owned += block->owned;
    return owned;
}

uint64_t HostMemory::bytes() {
    std::lock_guard lock(mutex_);
    uint64_t owned = 0;
    for (const auto& [addr, block] : live_) owned += block->owned ? block->size : 0;
    return owned;
}

} // namespace aclimb
