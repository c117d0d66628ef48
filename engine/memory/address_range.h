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

namespace aclimb {

// A piece that was freed, and where: numbers of places in the host program (see bind/sites.h), 0 when unknown.
struct Retired {
    uint64_t addr = 0, size = 0;
    uint32_t allocated_at = 0, freed_at = 0;
};

class AddressRange {
  public:
    explicit AddressRange(uint64_t bytes); // room for about that much; throws when the host has no addresses left
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

    // Addresses that freed pieces may hold back, in each range; the newest piece stays whatever its size. 0: none are held back.
    static void set_quarantine(uint64_t bytes);

  private:
    uint64_t take_hole(uint64_t bytes, bool& is_hole);
    void add_hole(uint64_t addr, uint64_t bytes);
    bool give_oldest();

    uint64_t base_ = 0, reserved_ = 0;
    std::map<uint64_t, uint64_t> holes_;
    std::map<uint64_t, Retired> retired_; // by address
    std::deque<uint64_t> oldest_;         // of them first
    uint64_t retired_bytes_ = 0;
};

} // namespace aclimb
