// SPDX-License-Identifier: Apache-2.0
// The L2 cache of a die: lines of 512 bytes, least recently used first out, dirty lines written back when they leave.
#pragma once
#include <cstdint>
#include <vector>

#include "timing/parameters.h"

namespace aclimb::timing {

constexpr uint64_t kLineBytes = 512;

class L2 {
  public:
    struct Touched {
        uint64_t hit = 0, miss = 0; // bytes asked for that were there, and that were not
        uint64_t brought = 0;       // bytes that memory brings for those: whole sectors
        uint64_t written_back = 0;  // bytes of dirty lines that had to leave
        Time wait = 0;              // another core is at one of these lines
    };

    explicit L2(uint64_t bytes);
    // One row of a transfer. `sector`: what memory brings for a part of it.
    void read(uint64_t addr, uint64_t bytes, uint64_t sector, bool bypass, Touched& touched);
    void write(uint64_t addr, uint64_t bytes, bool bypass, Touched& touched);
    // Requests of different cores to one line are served one after the other, `each` apart.
    Time queue(uint64_t addr, uint32_t core, Time now, Time each);
    void start(L2Start state); // what the next launch finds

  private:
    static constexpr uint32_t kNone = ~0u;
    struct Line {
        uint64_t number = 0;
        uint32_t before = kNone, after = kNone; // in order of use; `after` was used later
        uint32_t next = kNone;                  // in its bucket
        bool dirty = false;
        bool half = false; // fetched for a ragged end of a row; the next such fetch makes it whole
        uint32_t core = kNone;
        Time busy = 0;
    };

    uint32_t find(uint64_t number) const;
    uint32_t insert(uint64_t number, Touched& touched);
    void use(uint32_t at);
    void unlink(uint32_t at);
    void drop_oldest(Touched& touched);
    uint32_t& bucket(uint64_t number) { return buckets_[(number * 0x9E3779B97F4A7C15ull) >> shift_]; }
    uint32_t bucket(uint64_t number) const { return buckets_[(number * 0x9E3779B97F4A7C15ull) >> shift_]; }

    uint64_t capacity_; // lines
    std::vector<Line> lines_;
    std::vector<uint32_t> buckets_, spare_;
    int shift_;
    uint32_t oldest_ = kNone, newest_ = kNone;
    uint64_t used_ = 0;
};

} // namespace aclimb::timing
