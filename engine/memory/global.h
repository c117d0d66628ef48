// SPDX-License-Identifier: Apache-2.0
// Device memory: one reserved address range, and what is allocated in it.
// A device address is the host address inside that range, so a scalar dereference in a kernel works.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <shared_mutex>
#include <vector>

#include "memory/address_range.h"

namespace aclimb {

// Who gives an allocation back; nobody else can, whatever address he remembers.
enum class Owner : uint8_t {
    address, // whoever knows the address
    object,  // an object that holds it
    runtime  // the runtime itself; not counted as used
};

// What aclrtMalloc makes of a size on a chip: whole blocks, and one more.
constexpr uint64_t kOwnBlock = 32;

struct Allocation {
    uint64_t addr = 0, size = 0;
    uint64_t asked = 0; // of them; the rest is slack that nobody was promised
    bool large = false; // well beyond the last-level cache: stores go around it
    Owner owner = Owner::address;
    bool freed = false; // released while pinned: gone for everybody, its pages stay until the last pin
    int pins = 0;
    uint32_t allocated_at = 0, freed_at = 0; // places in the host program (bind/sites.h), 0 when unknown
    uint64_t number = 0;                     // among all allocations of the process, from 1
    bool wide = false;                       // the page behind it is open, too

    uint64_t end() const { return addr + asked; }
    uint64_t end_of_blocks() const { return addr + ((asked + kOwnBlock - 1) & ~(kOwnBlock - 1)); }
    // Where it ends on a chip. An object's (Buffer) promises what was asked for; on a chip aclrtMalloc would have made it.
    uint64_t end_on_chip() const { return owner == Owner::object ? std::max(addr + size, end_of_blocks() + kOwnBlock) : addr + size; }
    uint64_t end_of_pages() const; // of what is mapped for it
};

// The allocation a core touched last. Cheap to ask, refilled by GlobalMemory::find.
struct GlobalWindow {
    uint64_t begin = 0, end = 0;
    bool large = false;
    bool holds(uint64_t addr, uint64_t span) const { return addr >= begin && span <= end - begin && addr - begin <= end - begin - span; }
};

// What became of a piece of shared memory, for the process that maps it too.
struct MemoryChange {
    enum Kind : uint32_t { opened, retired, given } kind = opened;
    uint32_t large = 0, owner = 0;
    uint32_t allocated_at = 0, freed_at = 0;
    uint64_t addr = 0, size = 0, asked = 0;
    uint64_t number = 0; // among all allocations of the host
};

class GlobalMemory {
  public:
    explicit GlobalMemory(uint64_t capacity, bool shared = false);
    GlobalMemory(int fd, uint64_t base, uint64_t reserved); // in the other process: knows what apply() tells
    ~GlobalMemory();
    GlobalMemory(const GlobalMemory&) = delete;
    GlobalMemory& operator=(const GlobalMemory&) = delete;

    // 0 when the capacity is used up. `slack` more bytes may be touched. `site`: the place in the host program that asks.
    uint64_t allocate(uint64_t size, uint64_t slack = 0, Owner owner = Owner::address, uint32_t site = 0);
    bool release(uint64_t addr, Owner owner = Owner::address, uint32_t site = 0); // false: no start of a live allocation of that owner
    bool find(uint64_t addr, Allocation& found) const;                            // the live allocation that contains addr
    bool nearest(uint64_t addr, Allocation& found) const;                         // the one that contains addr, else the nearest
    bool last_before(uint64_t addr, Allocation& found) const;             // a live one of the user's that begins at addr or before it
    void copy_allocated(uint64_t addr, uint64_t size, uint8_t* to) const; // what is allocated there; the rest of `to` stays
    void widen(uint64_t addr); // a live allocation that begins there: all that a chip has for it can be touched from now on
    bool find_freed(uint64_t addr, Retired& found) const; // one that was there and was freed not long ago
    bool contains(uint64_t addr) const { return range_.contains(addr); }
    uint64_t begin() const { return range_.begin(); } // of the whole range of addresses
    uint64_t end() const { return range_.end(); }

    // Between pin and unpin the bytes stay mapped, whoever frees them. False: not all of them are in one live allocation.
    bool pin(uint64_t addr, uint64_t size);
    void unpin(uint64_t addr);
    std::vector<Allocation> pin_all(); // every live allocation, each to be unpinned
    // Calls `use`, which is short, while nobody can free these bytes. False, and no call: not all of them are in one live allocation.
    template <class Use> bool with(uint64_t addr, uint64_t size, Use use) const {
        std::shared_lock lock(mutex_);
        const auto it = containing(addr);
        if (it == live_.end() || it->second.freed || size > it->second.size - (addr - it->first)) return false;
        use();
        return true;
    }
    static GlobalMemory* owner(uint64_t addr); // the device memory whose address range this is, freed or not; null for host memory

    // Shared memory: what changed since the last call, in order. `all`: everything that is there now, and from now on what changes.
    std::vector<MemoryChange> take_changes(bool all);
    bool has_changes() const { return changed_; }
    void apply(const MemoryChange& change); // in the other process
    int fd() const { return range_.fd(); }  // -1: not shared
    uint64_t resident() const;              // bytes that shared memory holds, whoever wrote them
    uint64_t promised() const;              // bytes that are allocated, in whole pages
    void drop_strays();                     // what lies between the allocations is given back to the host
    std::vector<Allocation> large() const;  // those that hold a large page, from its address on

    static std::vector<const GlobalMemory*> all();
    static uint64_t allocations(); // of the process so far

    uint64_t capacity() const { return capacity_; }
    uint64_t used() const { return used_; }
    uint64_t count() const;

  private:
    void enlist();
    std::map<uint64_t, Allocation>::const_iterator containing(uint64_t addr) const;
    std::map<uint64_t, Allocation>::iterator containing(uint64_t addr);
    void unmap(std::map<uint64_t, Allocation>::iterator it);

    const uint64_t capacity_;
    AddressRange range_;
    std::atomic<uint64_t> used_{0};
    mutable std::shared_mutex mutex_;
    std::map<uint64_t, Allocation> live_; // by address
    uint64_t count_ = 0;                  // of them the user's
    void changed(MemoryChange::Kind kind, const Allocation& piece);
    bool tells_ = false; // somebody takes changes
    std::atomic<bool> changed_{false};
    std::vector<MemoryChange> changes_;
};

} // namespace aclimb
