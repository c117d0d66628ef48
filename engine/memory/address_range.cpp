// SPDX-License-Identifier: Apache-2.0
#include "memory/address_range.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <iterator>
#include <new>

#include "memory/pages.h"
#include "memory/sanitizers.h"

namespace aclimb {
namespace {

constexpr uint64_t kRedZone = kPage;

std::atomic<uint64_t> quarantine_bytes{uint64_t{1} << 30};

uint64_t align_up(uint64_t value, uint64_t alignment) { return (value + alignment - 1) & ~(alignment - 1); }

// Where neither a program nor its libraries are ever loaded, so that the same addresses are free in a process that starts later.
uint64_t map_shared(int fd, uint64_t bytes) {
#if ACLIMB_TSAN // it knows memory at these addresses only
    constexpr uint64_t kFirst = 0x7e8000000000, kLast = 0x7f0000000000, kStep = uint64_t{1} << 30;
#else
    constexpr uint64_t kFirst = uint64_t{1} << 44, kLast = uint64_t{5} << 44, kStep = uint64_t{1} << 30;
#endif
    static std::atomic<uint64_t> next{kFirst};
    while (next < kLast) {
        const uint64_t at = next.fetch_add(align_up(bytes, kStep));
        void* range = mmap(reinterpret_cast<void*>(at), bytes, PROT_NONE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, fd, 0);
        if (range == reinterpret_cast<void*>(at)) return at;
        if (range != MAP_FAILED) munmap(range, bytes);
    }
    throw std::bad_alloc();
}

} // namespace

void AddressRange::set_quarantine(uint64_t bytes) { quarantine_bytes = bytes; }

AddressRange::AddressRange(uint64_t bytes, bool shared) {
    // Addresses are free; four times as many leave room for red zones, for quarantine and for holes that do not fit.
    reserved_ = align_up(4 * bytes + (uint64_t{1} << 30), kHuge);
    if (shared) {
        fd_ = memfd_create("aclimb global memory", MFD_CLOEXEC);
        if (fd_ < 0 || ftruncate(fd_, static_cast<off_t>(reserved_)) != 0) throw std::bad_alloc();
        base_ = map_shared(fd_, reserved_);
        leave_to_kernels(base_, reserved_);
        holes_[base_] = reserved_ - kRedZone;
        return;
    }
    void* range = mmap(nullptr, reserved_ + kHuge, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) throw std::bad_alloc();
    const auto begin = reinterpret_cast<uint64_t>(range);
    base_ = align_up(begin, kHuge);
    if (base_ > begin) munmap(range, base_ - begin);
    if (begin + kHuge > base_) munmap(reinterpret_cast<void*>(base_ + reserved_), begin + kHuge - base_);
    leave_to_kernels(base_, reserved_);
    holes_[base_] = reserved_ - kRedZone; // the last piece has one behind it, too
}

AddressRange::AddressRange(int fd, uint64_t base, uint64_t reserved) : base_(base), reserved_(reserved), is_mirror_(true) {
    void* at = reinterpret_cast<void*>(base);
    if (mmap(at, reserved, PROT_NONE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, fd, 0) != at) throw std::bad_alloc();
}

AddressRange::~AddressRange() {
    munmap(reinterpret_cast<void*>(base_), reserved_);
    if (fd_ >= 0) close(fd_);
}

void AddressRange::clear(uint64_t begin, uint64_t end) {
    begin = align_up(begin, kPage);
    end &= ~(kPage - 1);
    if (end > begin)
        fallocate(fd_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(begin - base_), static_cast<off_t>(end - begin));
}

void AddressRange::close_pages(uint64_t addr, uint64_t bytes) {
    auto* at = reinterpret_cast<void*>(addr);
    const uint64_t pages = align_up(bytes, kPage);
    if (fd_ >= 0) clear(addr, addr + pages);
    else if (!is_mirror_) madvise(at, pages, MADV_DONTNEED);
    mprotect(at, pages, PROT_NONE);
}

void AddressRange::open_here(uint64_t addr, uint64_t bytes) {
    forget_retired(addr, addr + align_up(bytes, kPage));
    auto* at = reinterpret_cast<void*>(addr);
    mprotect(at, align_up(bytes, kPage), PROT_READ | PROT_WRITE);
    if (addr % kHuge == 0 && bytes >= kHuge / 2) madvise(at, align_up(bytes, kPage), MADV_HUGEPAGE);
}

void AddressRange::close_here(uint64_t addr, uint64_t bytes) { mprotect(reinterpret_cast<void*>(addr), align_up(bytes, kPage), PROT_NONE); }

void AddressRange::open_behind(uint64_t addr, uint64_t bytes) {
    auto* at = reinterpret_cast<void*>(addr + align_up(bytes, kPage));
    mprotect(at, kPage, PROT_READ | PROT_WRITE);
    memset(at, 0, kPage);
}

void AddressRange::close_behind(uint64_t addr, uint64_t bytes) { close_pages(addr + align_up(bytes, kPage), kPage); }

std::vector<Retired> AddressRange::retired() const {
    std::vector<Retired> found;
    for (const uint64_t addr : oldest_) found.push_back(retired_.at(addr));
    return found;
}

// Its owner has given these addresses again.
void AddressRange::forget_retired(uint64_t begin, uint64_t end) {
    std::erase_if(oldest_, [&](uint64_t addr) {
        const auto it = retired_.find(addr);
        const uint64_t bytes = align_up(it->second.size, kPage);
        if (addr >= end || addr + bytes <= begin) return false;
        retired_bytes_ -= bytes + kRedZone;
        retired_.erase(it);
        return true;
    });
}

uint64_t AddressRange::take(uint64_t bytes) {
    if (bytes > reserved_) return 0;
    for (;;) {
        bool is_hole = false;
        const uint64_t addr = take_hole(bytes, is_hole);
        if (addr || is_hole || !give_oldest()) return addr; // a hole that the host refuses to open is not helped by another
    }
}

uint64_t AddressRange::take_hole(uint64_t bytes, bool& is_hole) {
    const uint64_t alignment = bytes >= kHuge / 2 ? kHuge : kPage;
    const uint64_t pages = align_up(bytes, kPage);
    for (auto hole = holes_.begin(); hole != holes_.end(); ++hole) {
        const uint64_t begin = hole->first, end = begin + hole->second;
        const uint64_t addr = align_up(begin + kRedZone, alignment);
        if (addr + pages > end) continue;
        auto* at = reinterpret_cast<void*>(addr);
        is_hole = true;
        if (fd_ >= 0) clear(addr, addr + pages); // a kernel of the other process may have written there since
        if (mprotect(at, pages, PROT_READ | PROT_WRITE) != 0) return 0;
        if (alignment == kHuge) madvise(at, pages, MADV_HUGEPAGE);
        holes_.erase(hole);
        if (addr - kRedZone > begin) holes_[begin] = addr - kRedZone - begin;
        if (end > addr + pages) holes_[addr + pages] = end - addr - pages;
        return addr;
    }
    return 0;
}

void AddressRange::give(uint64_t addr, uint64_t bytes) {
    close_pages(addr, bytes);
    add_hole(addr, bytes);
}

void AddressRange::add_hole(uint64_t addr, uint64_t bytes) {
    bytes = align_up(bytes, kPage) + kRedZone;
    addr -= kRedZone;
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

void AddressRange::retire(const Retired& piece) {
    const uint64_t budget = quarantine_bytes;
    if (!budget) return give(piece.addr, piece.size);
    close_pages(piece.addr, piece.size);
    retired_[piece.addr] = piece;
    oldest_.push_back(piece.addr);
    retired_bytes_ += align_up(piece.size, kPage) + kRedZone;
    while (retired_bytes_ > budget && oldest_.size() > 1) give_oldest();
}

bool AddressRange::give_oldest() {
    if (oldest_.empty()) return false;
    const auto it = retired_.find(oldest_.front());
    oldest_.pop_front();
    retired_bytes_ -= align_up(it->second.size, kPage) + kRedZone;
    if (!is_mirror_) add_hole(it->second.addr, it->second.size);
    retired_.erase(it);
    return true;
}

bool AddressRange::find_retired(uint64_t addr, Retired& found) const {
    auto it = retired_.upper_bound(addr);
    if (it == retired_.begin()) return false;
    --it;
    if (addr - it->first >= align_up(it->second.size, kPage)) return false;
    found = it->second;
    return true;
}

} // namespace aclimb
