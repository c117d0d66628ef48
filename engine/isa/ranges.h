// SPDX-License-Identifier: Apache-2.0
// The one answer to "which bytes": what a record reads and writes, operand by operand, exactly. Lanes that a mask leaves out, gaps between
// bursts and what lies beyond the last row of a fractal are not in it. It is made of the geometry that the instructions themselves use
// (shapes/repeat.h, move/geometry.h), and a test compares it with what they touch.
#pragma once
#include <vector>

#include "isa/rows.h"

namespace aclimb {

struct Rectangle { // `count` rows of `length` bytes, `stride` apart
    uint64_t begin, length;
    uint32_t count;
    int64_t stride;

    uint64_t end() const { return begin + static_cast<uint64_t>(count - 1) * static_cast<uint64_t>(stride) + length; }
};

struct Bytes : Rectangle {
    uint8_t operand; // as in Row::operand
    Role role;       // of these bytes in this record: an accumulating Mmad updates what an initialising one only writes
};

// Collects the rows of one record; empty ones are left out, and rows that lie one behind the other become one.
class Ranges {
  public:
    void clear() { all_.clear(); }
    void add(int operand, Role role, uint64_t begin, uint64_t length, uint64_t count = 1, int64_t stride = 0);
    void add(int operand, Role role, const Rectangle& all) { add(operand, role, all.begin, all.length, all.count, all.stride); }
    const Bytes* begin() const { return all_.data(); }
    const Bytes* end() const { return all_.data() + all_.size(); }
    size_t size() const { return all_.size(); }

  private:
    std::vector<Bytes> all_;
};

// Of a record that its instruction accepts, on that core. Addresses are those of the record: of global memory, or inside a local one.
void ranges_of(const CoreView& core, const Head& head, Ranges& to);

void vector_ranges(const Vector& v, Ranges& to);
void select_mask_ranges(const Select& record, uint64_t in_register, Ranges& to); // in_register: the mask's address, where no tensor has it
void copy_ranges(const Copy& copy, Ranges& to);
void nd2nz_ranges(const Nd2Nz& nd2nz, Ranges& to);
void load_2d_ranges(const Load2D& load, Ranges& to);
void load_3d_ranges(const Load3D& load, Ranges& to);
void load_transpose_ranges(const LoadTranspose& load, Ranges& to);
void load_sparse_ranges(const LoadSparse& load, Ranges& to);
void fill_ranges(const Fill& fill, Ranges& to);
void mmad_ranges(const Mmad& mmad, Ranges& to); // dense and sparse
void fixpipe_ranges(const Fixpipe& fixpipe, Ranges& to);

} // namespace aclimb
