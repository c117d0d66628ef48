// SPDX-License-Identifier: Apache-2.0
// L2 and HBM as the cores of a die see them: two servers that take requests in order of time, reads and writes in one queue, in pieces of
// at most 4 KiB. Lines that several cores ask for at once, rows past the L2 and bytes that are written back take more of them than their
// bytes.
#pragma once
#include "timing/l2.h"
#include "timing/results.h"

namespace aclimb::timing {

// A copy between global memory and a core, on its way.
struct Transfer {
    const TapeEntry* entry = nullptr;
    uint32_t index = 0, row = 0, offset = 0; // how far it is
    uint64_t bytes = 0, left = 0;            // left: not yet served
    double overhead = 0;                     // of its misses at the HBM
    Time start = 0, own = 0, streamed = 0;   // streamed: what its bytes alone would take
    Time drained = 0;                        // a write: when the rest fits in the buffer
    bool missed = false;
};

class MemorySystem {
  public:
    MemorySystem(const Parameters& parameters, L2& l2) : p_(parameters), l2_(l2) {}
    void begin(Transfer& transfer, const TapeEntry& entry, uint32_t index, Time start) const;
    // The next piece, asked for at `now`; when it has been served. `last`: there is no other.
    Time serve(Transfer& transfer, CoreType type, uint32_t core, Time now, Counters& counters, bool& last);
    Time read_word(uint64_t addr, uint32_t core, Time now, Counters& counters); // a scalar load that misses its cache

  private:
    static constexpr uint64_t kPiece = 4096;
    struct Piece {
        L2::Touched touched;
        uint64_t asked = 0;
        Time own = 0, streamed = 0; // at the core's own speed: row by row, and by bytes alone
        double rows = 0;            // past the L2
    };
    Piece next_piece(Transfer& transfer, CoreType type, uint32_t core, Time now);
    void add_part(Piece& piece, const TapeEntry& entry, CoreType type, uint64_t bytes, const L2::Touched& before) const;
    double rate(CoreType type, const TapeEntry& entry, bool hit) const;
    Time at(Time& server, double bytes, double gbs, Time now) const;
    Time at_hbm(double bytes, Time now, Counters& counters);
    Time at_l2(double bytes, Time now) { return at(l2_free_, bytes, p_.l2_gbs, now); }

    const Parameters& p_;
    L2& l2_;
    Time hbm_free_ = 0, l2_free_ = 0;
};

} // namespace aclimb::timing
