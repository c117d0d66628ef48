// SPDX-License-Identifier: Apache-2.0
// The part of trace.json that grows with the program: slices, flags and arrows as Chrome's trace events. src/aclimb/trace/chrome.py
// says what each lane is called and writes the rest of the file.
#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace aclimb::timing {

// Strings are pieces of JSON as they are written, quotes included, unless said otherwise.
struct TraceLane {
    std::string pid, details;
    std::string tid; // without quotes
};

struct TraceStyle { // of all lanes of one tid
    std::string colour;
    int sort = 0;
};

struct TraceSlices { // columns, in order of their lanes; times are ns
    std::vector<int64_t> start, end, bytes;
    std::vector<int32_t> lane, name, site; // site -1: none
};

class TraceWriter {
  public:
    // Writes to an open file, behind another event or as the first.
    TraceWriter(int file, bool is_first, std::vector<TraceLane> lanes, TraceSlices slices, std::vector<std::string> names,
                std::vector<std::string> sites)
        : lanes_(std::move(lanes)), slices_(std::move(slices)), names_(std::move(names)), sites_(std::move(sites)),
          side_(slices_.start.size()), file_(file), is_first_(is_first) {}

    // The slices of lanes that share a thread of the trace.
    void slices(const std::vector<int32_t>& lanes, const TraceStyle& style);
    // From the slice that sets a flag to the one that waited for it. A flag is set for one cycle.
    void flags(const std::vector<std::pair<int32_t, int32_t>>& flows, int64_t cycle_ns, const TraceStyle& set, const TraceStyle& wait);
    void arrows(const std::vector<std::pair<int32_t, int32_t>>& flows);

    int finish(); // writes what is left; 0, or the errno of the first write that failed
    bool is_first() const { return is_first_; }

  private:
    struct Span {
        int64_t begin, end;
        const std::string* name;
        bool operator<(const Span& other) const;
    };
    // Spans by pid, in the order in which the pids first came.
    using Spans = std::vector<std::pair<std::string, std::vector<Span>>>;

    void begin_event();
    void flush();
    void one_slice(int32_t slice, const std::string& head);
    void sort_event(const std::string& pid, const std::string& tid, int sort);
    void begin_and_end(const std::string& pid, const char* tid, std::vector<Span>& spans, const TraceStyle& style, int64_t number);
    using Flags = std::vector<std::pair<int64_t, const std::string*>>; // when each is set, and its name
    Spans waits_of(std::vector<Flags>& flags, const std::vector<int32_t>& waiters) const;
    const std::string& flag_name(int32_t setter, int32_t waiter);
    const TraceLane& lane_of(int32_t slice) const { return lanes_[slices_.lane[slice]]; }

    std::vector<TraceLane> lanes_;
    TraceSlices slices_;
    std::vector<std::string> names_, sites_;
    std::unordered_map<uint64_t, std::string> flag_names_; // by the two lanes
    std::vector<int32_t> side_;                            // how many lanes beside the first a slice went to
    std::string text_;                                     // not written yet
    const int file_;
    bool is_first_;
    int error_ = 0;
};

} // namespace aclimb::timing
