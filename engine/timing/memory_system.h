// SPDX-License-Identifier: Apache-2.0
// L2 and HBM as the cores of a die see them: two servers that take requests in order of time, in pieces of at most 4 KiB.
#pragma once
#include "timing/l2.h"
#include "timing/results.h"

namespace aclimb::timing {

// A copy between global memory and a core, on its way.
struct Transfer {
    const TapeEntry* entry = nullptr;
    uint32_t index = 0, row = 0, offset = 0; // how far it is
    uint64_t bytes = 0;
    double overhead = 0; // of its misses at the HBM
    Time start = 0, own = 0;
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
    double rate(CoreType type, const TapeEntry& entry, bool hit) const;
    Time at(Time& server, double bytes, double gbs, Time now) const;
    Time at_hbm(double bytes, Time now) { return at(hbm_free_, bytes, p_.hbm_gbs, now); }
    Time at_l2(double bytes, Time now) { return at(l2_free_, bytes, p_.l2_gbs, now); }

    const Parameters& p_;
    L2& l2_;
    Time hbm_free_ = 0, l2_free_ = 0;
};

} // namespace aclimb::timing
