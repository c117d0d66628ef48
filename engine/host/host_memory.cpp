// SPDX-License-Identifier: Apache-2.0
#include "host/host_memory.h"

#include <unistd.h>

#include <new>

namespace aclimb {
namespace {

AddressRange* reserve() {
    const auto pages = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)), page = static_cast<uint64_t>(sysconf(_SC_PAGE_SIZE));
    try {
        return new AddressRange(pages * page);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

} // namespace

HostBlock::~HostBlock() {
    if (owned) HostMemory::instance().give(*this);
}

HostMemory& HostMemory::instance() {
    static HostMemory& memory = *new HostMemory;
    return memory;
}

uint64_t HostMemory::allocate(uint64_t size, uint32_t site) {
    std::lock_guard lock(mutex_);
    if (!range_) range_ = reserve();
    const uint64_t addr = range_ ? range_.load()->take(size) : 0;
    if (addr) live_[addr] = std::make_shared<HostBlock>(addr, size, true, site);
    return addr;
}

void HostMemory::give(const HostBlock& block) {
    std::lock_guard lock(mutex_);
    range_.load()->retire({block.addr, block.size, block.allocated_at, block.freed_at});
}

bool HostMemory::add(uint64_t addr, uint64_t size) {
    if (ours(addr)) return false;
    std::lock_guard lock(mutex_);
    const auto next = live_.lower_bound(addr);
    if (next != live_.end() && next->first - addr < size) return false;
    if (next != live_.begin() && addr - std::prev(next)->first < std::prev(next)->second->size) return false;
    live_[addr] = std::make_shared<HostBlock>(addr, size, false, 0);
    return true;
}

bool HostMemory::release(uint64_t addr, bool owned, uint32_t site) {
    std::shared_ptr<HostBlock> last; // dies after the lock, which its end takes
    std::lock_guard lock(mutex_);
    const auto it = live_.find(addr);
    if (it == live_.end() || it->second->owned != owned) return false;
    last = std::move(it->second);
    last->freed_at = site;
    live_.erase(it);
    return true;
}

bool HostMemory::find_freed(uint64_t addr, Retired& found) {
    std::lock_guard lock(mutex_);
    return range_ && range_.load()->find_retired(addr, found);
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
