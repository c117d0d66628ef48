// SPDX-License-Identifier: Apache-2.0
// The scalar unit's data cache: lines of 64 bytes, private to a core, written back when the cache likes. Values stay coherent in the
// engine; what is kept here is when a chip's cache would have read a line, and when it would have written it.
//
//   a cached load    reads its bytes from the moment its line was filled until now
//   a cached store   writes its bytes from now until a DataSyncBarrier behind a clean of the line, or the end of the kernel; as long, the
//                    rest of the line is read, and put back as it was
#pragma once
#include <deque>
#include <unordered_map>

#include "check/gm_log.h"
#include "check/order.h"

namespace aclimb::check {

constexpr uint64_t kLine = 64;

class DataCache {
  public:
    DataCache(CoreOrder& order, GmLog& log) : order_(order), log_(log) {}

    void load(Access access, uint64_t begin, uint64_t bytes, const Start& now);
    void store(Access access, uint64_t begin, uint64_t bytes, const Start& now);
    void clean(uint64_t begin, uint64_t end);          // of one line, from an address on; all of them: 0 to ~0
    bool is_dirty(uint64_t begin, uint64_t end) const; // bytes of a line that a clean from further on leaves
    void barrier();                                    // what was cleaned before has been written
    void end();                                        // of the kernel: the rest is written at some time that nobody knows
    bool used() const { return !lines_.empty(); }

  private:
    struct Line {
        Start filled, opened;
        uint64_t dirty = 0, cleaning = 0; // bytes, a bit each
        uint32_t cleaned = 0;             // the number of the clean that began last, while there is one
        Access store;                     // the first since the line was clean
    };
    Line& line(uint64_t number, const Start& now);
    void close(uint64_t number, Line& line, uint64_t bytes);

    CoreOrder& order_;
    GmLog& log_;
    std::unordered_map<uint64_t, Line> lines_; // by number
    std::deque<Start> moments_;
};

} // namespace aclimb::check
