// SPDX-License-Identifier: Apache-2.0
#include "memory/address_range.h"

#include <sys/mman.h>

#include <iterator>
#include <new>

namespace aclimb {
namespace {

constexpr uint64_t kPage = 4096, kHuge = 2 << 20, kRedZone = kPage;

uint64_t align_up(uint64_t value, uint64_t alignment) { return (value + alignment - 1) & ~(alignment - 1); }

} // namespace

AddressRange::AddressRange(uint64_t bytes) {
    // Addresses are free; four times as many leave room for red zones and for holes that do not fit.
    reserved_ = align_up(4 * bytes + (uint64_t{1} << 30), kHuge);
    void* range = mmap(nullptr, reserved_ + kHuge, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) throw std::bad_alloc();
    const auto begin = reinterpret_cast<uint64_t>(range);
    base_ = align_up(begin, kHuge);
    if (base_ > begin) munmap(range, base_ - begin);
    if (begin + kHuge > base_) munmap(reinterpret_cast<void*>(base_ + reserved_), begin + kHuge - base_);
    holes_[base_] = reserved_;
}

AddressRange::~AddressRange() { munmap(reinterpret_cast<void*>(base_), reserved_); }

uint64_t AddressRange::take(uint64_t bytes) {
    if (bytes > reserved_) return 0;
    const uint64_t alignment = bytes >= kHuge / 2 ? kHuge : kPage;
    const uint64_t pages = align_up(bytes, kPage);
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
        return addr;
    }
    return 0;
}

void AddressRange::give(uint64_t addr, uint64_t bytes) {
    bytes = align_up(bytes, kPage);
    auto* at = reinterpret_cast<void*>(addr);
    madvise(at, bytes, MADV_DONTNEED);
    mprotect(at, bytes, PROT_NONE);
    auto next = holes_.lower_bound(addr);
    if (next != holes_.end() && next->first == addr + bytes) {
        bytes += next->second;
        next = holes_.erase(next);
    }
    if (next != holes_.begin()) {
        const auto previous = std::prev(next);
        if (previous->first + previous->second == addr) {
            previous->second += bytes;
            return;
        }
    }
    holes_[addr] = bytes;
}

} // namespace aclimb
