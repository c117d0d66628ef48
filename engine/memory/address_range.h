// SPDX-License-Identifier: Apache-2.0
// A reserved range of addresses that nothing else in the process gets: pages are committed when taken, inaccessible again when given
// back, and an inaccessible red zone lies between any two pieces. Not locked: its owner is.
#pragma once
#include <cstdint>
#include <map>

namespace aclimb {

class AddressRange {
  public:
    explicit AddressRange(uint64_t bytes); // room for about that much; throws when the host has no addresses left
    ~AddressRange();
    AddressRange(const AddressRange&) = delete;
    AddressRange& operator=(const AddressRange&) = delete;

    uint64_t take(uint64_t bytes); // zeros, whole pages; large pieces on a huge page. 0: no room left
    void give(uint64_t addr, uint64_t bytes);
    bool contains(uint64_t addr) const { return addr - base_ < reserved_; }

  private:
    uint64_t base_ = 0, reserved_ = 0;
    std::map<uint64_t, uint64_t> holes_; // free ranges: start -> bytes
};

} // namespace aclimb
