// SPDX-License-Identifier: Apache-2.0
#include "memory/global.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include "memory/large_pages.h"
#include "memory/pages.h"

namespace aclimb {
namespace {

constexpr uint64_t kLarge = 24 << 20; // beyond this the last-level cache does not keep the data until it is read again

// Leaked on purpose: threads outlive static destruction.
std::shared_mutex& memories_mutex = *new std::shared_mutex;
std::vector<GlobalMemory*>& memories = *new std::vector<GlobalMemory*>;
// Around all of them: an address outside, as most host addresses are, needs no lock.
std::atomic<uint64_t> lowest{~uint64_t{0}}, highest{0};
std::atomic<uint64_t> allocations_made{0};

} // namespace

uint64_t Allocation::end_of_pages() const { return ((addr + size + kPage - 1) & ~(kPage - 1)) + (wide ? kPage : 0); }

GlobalMemory::GlobalMemory(uint64_t capacity, bool shared) : capacity_(capacity), range_(capacity, shared) {
    enlist();
    if (shared) want_large_pages(*this);
}

GlobalMemory::GlobalMemory(int fd, uint64_t base, uint64_t reserved) : capacity_(reserved), range_(fd, base, reserved) { enlist(); }

void GlobalMemory::enlist() {
    std::unique_lock lock(memories_mutex);
    memories.push_back(this);
    lowest = std::min(lowest.load(), range_.begin());
    highest = std::max(highest.load(), range_.end());
}

GlobalMemory::~GlobalMemory() {
    if (range_.fd() >= 0) forget_large_pages(*this);
    std::unique_lock lock(memories_mutex);
    std::erase(memories, this);
}

GlobalMemory* GlobalMemory::owner(uint64_t addr) {
    if (addr < lowest || addr >= highest) return nullptr;
    std::shared_lock lock(memories_mutex);
    for (auto* memory : memories)
        if (memory->contains(addr)) return memory;
    return nullptr;
}

std::vector<const GlobalMemory*> GlobalMemory::all() {
    std::shared_lock lock(memories_mutex);
    return {memories.begin(), memories.end()};
}

uint64_t GlobalMemory::allocations() { return allocations_made; }

uint64_t GlobalMemory::allocate(uint64_t size, uint64_t slack, Owner owner, uint32_t site) {
    std::unique_lock lock(mutex_);
    const bool counts = owner != Owner::runtime;
    if (size == 0 || size > capacity_ || (counts && used_ + size > capacity_)) return 0;
    const uint64_t addr = range_.take(size + slack);
    if (!addr) return 0;
    live_[addr] = {addr, size + slack, size, size >= kLarge, owner, false, 0, site, 0, ++allocations_made};
    if (tells_) changed(MemoryChange::opened, live_[addr]);
    if (counts) {
        used_ += size;
        count_++;
    }
    return addr;
}

bool GlobalMemory::release(uint64_t addr, Owner owner, uint32_t site) {
    std::unique_lock lock(mutex_);
    const auto it = live_.find(addr);
    if (it == live_.end() || it->second.freed || it->second.owner != owner) return false;
    if (owner != Owner::runtime) {
        used_ -= it->second.asked;
        count_--;
    }
    it->second.freed_at = site;
    if (it->second.pins) it->second.freed = true;
    else unmap(it);
    return true;
}

void GlobalMemory::unmap(std::map<uint64_t, Allocation>::iterator it) {
    const Allocation& gone = it->second;
    if (gone.wide) range_.close_behind(gone.addr, gone.size);
    if (tells_) changed(gone.owner == Owner::runtime ? MemoryChange::given : MemoryChange::retired, gone);
    if (gone.owner == Owner::runtime) range_.give(gone.addr, gone.size);
    else range_.retire({gone.addr, gone.size, gone.allocated_at, gone.freed_at});
    live_.erase(it);
}

std::map<uint64_t, Allocation>::const_iterator GlobalMemory::containing(uint64_t addr) const {
    auto it = live_.upper_bound(addr);
    if (it == live_.begin()) return live_.end();
    --it;
    return addr - it->first < it->second.size ? it : live_.end();
}

std::map<uint64_t, Allocation>::iterator GlobalMemory::containing(uint64_t addr) {
    const auto found = static_cast<const GlobalMemory*>(this)->containing(addr);
    return live_.erase(found, found); // erases nothing: the same place, to be changed
}

bool GlobalMemory::pin(uint64_t addr, uint64_t size) {
    std::unique_lock lock(mutex_);
    const auto it = containing(addr);
    if (it == live_.end() || it->second.freed || size > it->second.size - (addr - it->first)) return false;
    it->second.pins++;
    return true;
}

std::vector<Allocation> GlobalMemory::pin_all() {
    std::unique_lock lock(mutex_);
    std::vector<Allocation> pinned;
    for (auto& [addr, each] : live_) {
        if (each.freed) continue;
        each.pins++;
        pinned.push_back(each);
    }
    return pinned;
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
    auto after = live_.upper_bound(addr), before = after;
    if (before != live_.begin()) {
        --before;
        if (addr - before->first < before->second.size) return found = before->second, true;
    } else {
        before = live_.end();
    }
    // Beside all of them: a message names one of the user's own, not one that the runtime made for itself.
    while (after != live_.end() && after->second.owner == Owner::runtime) ++after;
    while (before != live_.end() && before->second.owner == Owner::runtime)
        before = before == live_.begin() ? live_.end() : std::prev(before);
    if (before == live_.end() && after == live_.end()) return false;
    const bool is_next =
        before == live_.end() || (after != live_.end() && after->first - addr < addr - (before->second.addr + before->second.size));
    found = (is_next ? after : before)->second;
    return true;
}

bool GlobalMemory::last_before(uint64_t addr, Allocation& found) const {
    std::shared_lock lock(mutex_);
    for (auto it = live_.upper_bound(addr); it != live_.begin();) {
        --it;
        if (it->second.owner == Owner::runtime) continue;
        found = it->second;
        return !found.freed;
    }
    return false;
}

void GlobalMemory::copy_allocated(uint64_t addr, uint64_t size, uint8_t* to) const {
    std::shared_lock lock(mutex_);
    auto it = live_.upper_bound(addr);
    if (it != live_.begin()) --it;
    for (; it != live_.end() && it->first < addr + size; ++it) {
        const uint64_t begin = std::max(addr, it->first),
                       end = std::min({addr + size, it->second.end_on_chip(), it->second.end_of_pages()});
        if (begin < end && !it->second.freed) memcpy(to + (begin - addr), reinterpret_cast<const void*>(begin), end - begin);
    }
}

void GlobalMemory::widen(uint64_t addr) {
    std::unique_lock lock(mutex_);
    const auto it = live_.find(addr);
    if (it == live_.end() || it->second.wide || it->second.end_on_chip() <= it->second.end_of_pages()) return;
    range_.open_behind(addr, it->second.size);
    it->second.wide = true;
}

bool GlobalMemory::find_freed(uint64_t addr, Retired& found) const {
    std::shared_lock lock(mutex_);
    const auto it = containing(addr);
    if (it == live_.end()) return range_.find_retired(addr, found);
    found = {it->second.addr, it->second.size, it->second.allocated_at, it->second.freed_at};
    return it->second.freed;
}

// --- shared with another process

void GlobalMemory::changed(MemoryChange::Kind kind, const Allocation& piece) {
    changes_.push_back({kind, piece.large, static_cast<uint32_t>(piece.owner), piece.allocated_at, piece.freed_at, piece.addr, piece.size,
                        piece.asked, piece.number});
    changed_ = true;
}

std::vector<MemoryChange> GlobalMemory::take_changes(bool all) {
    std::unique_lock lock(mutex_);
    if (all) {
        tells_ = true;
        changes_.clear();
        for (const Retired& piece : range_.retired())
            changes_.push_back({MemoryChange::retired, 0, 0, piece.allocated_at, piece.freed_at, piece.addr, piece.size, piece.size, 0});
        for (const auto& [addr, piece] : live_) changed(MemoryChange::opened, piece);
    }
    changed_ = false;
    return std::exchange(changes_, {});
}

void GlobalMemory::apply(const MemoryChange& change) {
    std::unique_lock lock(mutex_);
    if (change.kind == MemoryChange::opened) {
        range_.open_here(change.addr, change.size);
        live_[change.addr] = {change.addr,         change.size, change.asked, change.large != 0, static_cast<Owner>(change.owner), false, 0,
                              change.allocated_at, 0,           change.number};
        return;
    }
    if (const auto it = live_.find(change.addr); it != live_.end()) {
        if (it->second.wide) range_.close_behind(change.addr, it->second.size);
        live_.erase(it);
    }
    if (change.kind == MemoryChange::given) range_.close_here(change.addr, change.size);
    else range_.retire({change.addr, change.size, change.allocated_at, change.freed_at});
}

uint64_t GlobalMemory::resident() const {
    struct stat about{};
    fstat(range_.fd(), &about);
    return static_cast<uint64_t>(about.st_blocks) * 512;
}

uint64_t GlobalMemory::promised() const {
    std::shared_lock lock(mutex_);
    uint64_t bytes = 0;
    for (const auto& [addr, piece] : live_) bytes += piece.end_of_pages() - addr;
    return bytes;
}

void GlobalMemory::drop_strays() {
    std::unique_lock lock(mutex_);
    uint64_t end = range_.begin();
    for (const auto& [addr, piece] : live_) {
        range_.clear(end, addr);
        end = piece.end_of_pages();
    }
    range_.clear(end, range_.end());
}

std::vector<Allocation> GlobalMemory::large() const {
    std::shared_lock lock(mutex_);
    std::vector<Allocation> found;
    for (const auto& [addr, piece] : live_)
        if (!piece.freed && addr % kHuge == 0 && piece.size >= kHuge) found.push_back(piece);
    return found;
}

uint64_t GlobalMemory::count() const {
    std::shared_lock lock(mutex_);
    return count_;
}

} // namespace aclimb
