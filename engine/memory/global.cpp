// SPDX-License-Identifier: Apache-2.0
#include "memory/global.h"

#include <sys/mman.h>

#include <algorithm>
#include <mutex>
#include <new>
#include <vector>

namespace aclimb {
namespace {

constexpr uint64_t kPage = 4096, kHuge = 2 << 20, kRedZone = kPage;
constexpr uint64_t kLarge = 24 << 20; // beyond this the last-level cache does not keep the data until it is read again

uint64_t align_up(uint64_t value, uint64_t alignment) { return (value + alignment - 1) & ~(alignment - 1); }

// Leaked on purpose: threads outlive static destruction.
std::shared_mutex& memories_mutex = *new std::shared_mutex;
std::vector<GlobalMemory*>& memories = *new std::vector<GlobalMemory*>;

} // namespace

GlobalMemory::GlobalMemory(uint64_t capacity) : capacity_(capacity) {
    // Address space is free; four times the capacity leaves room for red zones and for holes that do not fit.
    reserved_ = align_up(4 * capacity + (uint64_t{1} << 30), kHuge);
    void* range = mmap(nullptr, reserved_ + kHuge, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) throw std::bad_alloc();
    base_ = align_up(reinterpret_cast<uint64_t>(range), kHuge);
    holes_[base_] = reserved_;
    std::unique_lock lock(memories_mutex);
    memories.push_back(this);
}

GlobalMemory::~GlobalMemory() {
    {
        std::unique_lock lock(memories_mutex);
        std::erase(memories, this);
    }
    munmap(reinterpret_cast<void*>(base_), reserved_);
}

GlobalMemory* GlobalMemory::owner(uint64_t addr) {
    std::shared_lock lock(memories_mutex);
    for (auto* memory : memories)
        if (memory->contains(addr)) return memory;
    return nullptr;
}

uint64_t GlobalMemory::allocate(uint64_t size, uint64_t slack, Owner owner) {
    std::unique_lock lock(mutex_);
    const bool counts = owner != Owner::runtime;
    if (size == 0 || size > capacity_ || (counts && used_ + size > capacity_)) return 0;
    const uint64_t alignment = size >= kHuge / 2 ? kHuge : kPage;
    const uint64_t pages = align_up(size + slack, kPage);
    for (auto hole = holes_.begin(); hole != holes_.end(); ++hole) {
        const uint64_t begin = hole->first, end = begin + hole->second;
        const uint64_t addr = align_up(begin + kRedZone, alignment); // a red zone before, and the next one's after
        if (addr + pages + kRedZone > end) continue;
        auto* at = reinterpret_cast<void*>(addr);
        if (mprotect(at, pages, PROT_READ | PROT_WRITE) != 0) return 0;
        if (alignment == kHuge) madvise(at, pages, MADV_HUGEPAGE);
        holes_.erase(hole);
        holes_[begin] = addr - begin;
        holes_[addr + pages] = end - addr - pages;
        live_[addr] = {addr, size + slack, size, size >= kLarge, owner};
        if (counts) {
            used_ += size;
            count_++;
        }
        return addr;
    }
    return 0;
}

bool GlobalMemory::release(uint64_t addr, Owner owner) {
    std::unique_lock lock(mutex_);
    const auto it = live_.find(addr);
    if (it == live_.end() || it->second.freed || it->second.owner != owner) return false;
    if (owner != Owner::runtime) {
        used_ -= it->second.asked;
        count_--;
    }
    if (it->second.pins) it->second.freed = true;
    else unmap(it);
    return true;
}

void GlobalMemory::unmap(std::map<uint64_t, Allocation>::iterator it) {
    const uint64_t begin = it->first;
    uint64_t bytes = align_up(it->second.size, kPage);
    auto* at = reinterpret_cast<void*>(begin);
    madvise(at, bytes, MADV_DONTNEED);
    mprotect(at, bytes, PROT_NONE);
    live_.erase(it);
    auto next = holes_.lower_bound(begin);
    if (next != holes_.end() && next->first == begin + bytes) {
        bytes += next->second;
        next = holes_.erase(next);
    }
    if (next != holes_.begin()) {
        const auto previous = std::prev(next);
        if (previous->first + previous->second == begin) {
            previous->second += bytes;
            return;
        }
    }
    holes_[begin] = bytes;
}

std::map<uint64_t, Allocation>::iterator GlobalMemory::containing(uint64_t addr) {
    auto it = live_.upper_bound(addr);
    if (it == live_.begin()) return live_.end();
    --it;
    return addr - it->first < it->second.size ? it : live_.end();
}

bool GlobalMemory::pin(uint64_t addr, uint64_t size) {
    std::unique_lock lock(mutex_);
    const auto it = containing(addr);
    if (it == live_.end() || it->second.freed || size > it->second.size - (addr - it->first)) return false;
    it->second.pins++;
    return true;
}

void GlobalMemory::unpin(uint64_t addr) {
    std::unique_lock lock(mutex_);
    const auto it = containing(addr);
    if (--it->second.pins == 0 && it->second.freed) unmap(it);
}

bool GlobalMemory::find(uint64_t addr, Allocation& found) const {
    return nearest(addr, found) && !found.freed && addr >= found.addr && addr < found.addr + found.size;
}

bool GlobalMemory::nearest(uint64_t addr, Allocation& found) const {
    std::shared_lock lock(mutex_);
    if (live_.empty()) return false;
    auto it = live_.upper_bound(addr);
    if (it == live_.begin()) {
        found = it->second;
        return true;
    }
    const auto next = it--;
    const uint64_t end = it->second.addr + it->second.size;
    const bool next_is_nearer = next != live_.end() && addr >= end && next->first - addr < addr - end;
    found = (next_is_nearer ? next : it)->second;
    return true;
}

uint64_t GlobalMemory::count() const {
    std::shared_lock lock(mutex_);
    return count_;
}

} // namespace aclimb
