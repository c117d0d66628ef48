// SPDX-License-Identifier: Apache-2.0
// A reserved range of addresses that nothing else in the process gets: pages are committed when taken, inaccessible again when given
// back, and an inaccessible red zone lies before each piece and behind the last. Not locked: its owner is.
//
// State map
//   holes_     free ranges: start -> bytes
//   retired_   pieces given back by the user, in quarantine: nobody gets their addresses yet, so a use of them is noticed and named
#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

namespace aclimb {

// A piece that was freed, and where: numbers of places in the host program (see bind/sites.h), 0 when unknown.
struct Retired {
    uint64_t addr = 0, size = 0;
    uint32_t allocated_at = 0, freed_at = 0;
};

class AddressRange {
  public:
    // Room for about that much; throws when the host has no addresses left. Shared: the bytes lie in a file in memory, which another
    // process maps at the same addresses.
    explicit AddressRange(uint64_t bytes, bool shared = false);
    AddressRange(int fd, uint64_t base, uint64_t reserved); // the same range in that other process; pages open and close as it is told
    ~AddressRange();
    AddressRange(const AddressRange&) = delete;
    AddressRange& operator=(const AddressRange&) = delete;

    uint64_t take(uint64_t bytes);            // zeros, whole pages; large pieces on a huge page. 0: no room left
    void give(uint64_t addr, uint64_t bytes); // for the next who takes
    void retire(const Retired& piece);        // its pages go, its addresses are given when newer pieces need the room in quarantine
    bool find_retired(uint64_t addr, Retired& found) const;
    bool contains(uint64_t addr) const { return addr - base_ < reserved_; }
    uint64_t begin() const { return base_; }
    uint64_t end() const { return base_ + reserved_; }
    int fd() const { return fd_; }            // of a shared range; -1
    std::vector<Retired> retired() const;     // the oldest first
    void clear(uint64_t begin, uint64_t end); // whole pages between them, of a shared range: they hold nothing any more

    // The page behind a piece, which is its red zone otherwise: zeros.
    void open_behind(uint64_t addr, uint64_t bytes);
    void close_behind(uint64_t addr, uint64_t bytes);

    // In the other process: as the owner of the range has told.
    void open_here(uint64_t addr, uint64_t bytes);
    void close_here(uint64_t addr, uint64_t bytes);

    // Addresses that freed pieces may hold back, in each range; the newest piece stays whatever its size. 0: none are held back.
    static void set_quarantine(uint64_t bytes);

  private:
    uint64_t take_hole(uint64_t bytes, bool& is_hole);
    void add_hole(uint64_t addr, uint64_t bytes);
    bool give_oldest();
    void close_pages(uint64_t addr, uint64_t bytes);
    void forget_retired(uint64_t begin, uint64_t end);

    uint64_t base_ = 0, reserved_ = 0;
    int fd_ = -1;
    bool is_mirror_ = false; // somebody else's range: what its pages hold is not ours to clear
    std::map<uint64_t, uint64_t> holes_;
    std::map<uint64_t, Retired> retired_; // by address
    std::deque<uint64_t> oldest_;         // of them first
    uint64_t retired_bytes_ = 0;
};

} // namespace aclimb
