// SPDX-License-Identifier: Apache-2.0
// The one answer to "which bytes": what a record reads and writes, operand by operand, exactly. Lanes that a mask leaves out, gaps between
// bursts and what lies beyond the last row of a fractal are not in it. For whoever looks at memory from outside the instruction; so far the
// tests, which compare it with what instructions touch.
#pragma once
#include <vector>

#include "isa/rows.h"

namespace aclimb {

struct Bytes { // `count` rows of `length` bytes, `stride` apart
    uint64_t begin;
    uint64_t length;
    uint32_t count;
    int64_t stride;
    uint8_t operand; // as in Row::operand
    Role role;       // of these bytes in this record: an accumulating Mmad updates what an initialising one only writes

    uint64_t end() const { return begin + static_cast<uint64_t>(count - 1) * static_cast<uint64_t>(stride) + length; }
};

// Collects the rows of one record; empty ones are left out, and rows that lie one behind the other become one.
class Ranges {
  public:
    void clear() { all_.clear(); }
    void add(int operand, Role role, uint64_t begin, uint64_t length, uint64_t count = 1, int64_t stride = 0);
    const Bytes* begin() const { return all_.data(); }
    const Bytes* end() const { return all_.data() + all_.size(); }
    size_t size() const { return all_.size(); }

  private:
    std::vector<Bytes> all_;
};

// Of a record that its instruction accepts. Addresses are those of the record: of global memory, or inside a local one. The words of a
// soft SyncAll, IBSet and IBWait depend on the launch and are not in it.
void ranges_of(const Head& head, Ranges& to);

void vector_ranges(const Vector& v, Ranges& to);
void copy_ranges(const Copy& copy, Ranges& to);
void nd2nz_ranges(const Nd2Nz& nd2nz, Ranges& to);
void load_2d_ranges(const Load2D& load, Ranges& to);
void fill_ranges(const Fill& fill, Ranges& to);
void mmad_ranges(const Mmad& mmad, Ranges& to);
void fixpipe_ranges(const Fixpipe& fixpipe, Ranges& to);

} // namespace aclimb
