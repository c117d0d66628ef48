// SPDX-License-Identifier: Apache-2.0
// The L2 cache of a die: lines of 512 bytes, least recently used first out. A dirty line is written back when it leaves, or before, when
// the memory has nothing else to do.
#pragma once
#include <cstdint>
#include <deque>
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
        uint64_t shared = 0;        // bytes asked for of lines that another core is being served from
    };

    explicit L2(uint64_t bytes);
    // One row of a transfer. `sector`: what memory brings for a part of it.
    void read(uint64_t addr, uint64_t bytes, uint64_t sector, bool bypass, Touched& touched);
    void write(uint64_t addr, uint64_t bytes, uint64_t sector, bool bypass, Touched& touched);
    // Counts what another core asked for as well, less than `window` ago, whether or not the L2 keeps it.
    void meet(uint64_t addr, uint64_t bytes, uint32_t core, Time now, Time window, Touched& touched);
    uint64_t write_back(uint64_t lines);        // of the lines that have been dirty longest; how many there were
    void start(L2Start state, int sharers = 1); // what the next launch finds; a sampled block has its share of the room

  private:
    static constexpr uint32_t kNone = ~0u;
    struct Line {
        uint64_t number = 0;
        uint32_t before = kNone, after = kNone; // in order of use; `after` was used later
        uint32_t next = kNone;                  // in its bucket
        bool dirty = false;
        bool half = false; // fetched for a ragged end of a row; the next such fetch makes it whole
    };
    struct Asked { // the last request for a line
        uint64_t number = ~uint64_t{0};
        uint32_t core = kNone;
        Time when = 0;
    };
    struct Dirty {
        uint64_t number;
        uint32_t at;
    };

    uint32_t find(uint64_t number) const;
    uint32_t insert(uint64_t number, Touched& touched);
    void use(uint32_t at);
    void unlink(uint32_t at);
    void drop_oldest(Touched& touched);
    void soil(uint32_t at);
    Asked& asked(uint64_t number); // of this line, or the oldest of those in its place
    uint32_t& bucket(uint64_t number) { return buckets_[(number * 0x9E3779B97F4A7C15ull) >> shift_]; }
    uint32_t bucket(uint64_t number) const { return buckets_[(number * 0x9E3779B97F4A7C15ull) >> shift_]; }

    static constexpr int kAskedBits = 13, kAskedWays = 8; // far more than are asked for at a time: none of those is forgotten

    const uint64_t all_; // lines
    uint64_t capacity_;  // lines of this launch
    std::vector<Line> lines_;
    std::vector<uint32_t> buckets_, spare_;
    std::vector<Asked> asked_; // by a hash of the line, kAskedWays in each place: the oldest is forgotten for a newer one
    std::deque<Dirty> dirty_;  // in the order of their first write; some have left since
    int shift_;
    uint32_t oldest_ = kNone, newest_ = kNone;
    uint64_t used_ = 0;
};

} // namespace aclimb::timing
