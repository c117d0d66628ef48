// SPDX-License-Identifier: Apache-2.0
#include "timing/trace_json.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <map>
#include <tuple>

namespace aclimb::timing {
namespace {

void append(std::string& text, int64_t value) {
    char digits[24];
    text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

// ns as the microseconds Python would print: at least one decimal, no zeros behind it.
void append_us(std::string& text, int64_t ns) {
    append(text, ns / 1000);
    text += '.';
    const int64_t rest = ns % 1000;
    if (rest == 0) {
        text += '0';
        return;
    }
    const char digits[] = {static_cast<char>('0' + rest / 100), static_cast<char>('0' + rest / 10 % 10),
                           static_cast<char>('0' + rest % 10)};
    text.append(digits, rest % 100 == 0 ? 1 : rest % 10 == 0 ? 2 : 3);
}

std::string beside(const std::string& tid, size_t side) { return side ? tid + " (" + std::to_string(side + 1) + ")" : tid; }

// The first lane that is free at `start`, which is then taken until `end`.
size_t first_fit(std::vector<int64_t>& free, int64_t start, int64_t end) {
    for (size_t lane = 0; lane < free.size(); lane++)
        if (free[lane] <= start) {
            free[lane] = end;
            return lane;
        }
    free.push_back(end);
    return free.size() - 1;
}

} // namespace

bool TraceWriter::Span::operator<(const Span& other) const {
    return std::tie(begin, end, *name) < std::tie(other.begin, other.end, *other.name);
}

void TraceWriter::flush() {
    for (size_t done = 0; done < text_.size() && !error_;) {
        const ssize_t some = write(file_, text_.data() + done, text_.size() - done);
        if (some > 0) done += static_cast<size_t>(some);
        else if (some == 0 || errno != EINTR) error_ = some ? errno : ENOSPC;
    }
    text_.clear();
}

int TraceWriter::finish() {
    flush();
    return error_;
}

void TraceWriter::begin_event() {
    constexpr size_t kPiece = 256 << 10; // stays in the cache
    if (text_.size() >= kPiece) flush();
    if (!is_first_) text_ += ",\n";
    is_first_ = false;
}

void TraceWriter::sort_event(const std::string& pid, const std::string& tid, int sort) {
    begin_event();
    text_ += "{\"ph\": \"M\", \"pid\": " + pid + ", \"tid\": \"" + tid + "\", \"name\": \"thread_sort_index\", \"args\": {\"sort_index\": ";
    append(text_, sort);
    text_ += "}}";
}

void TraceWriter::one_slice(int32_t slice, const std::string& head) {
    begin_event();
    text_ += head;
    text_ += names_[slices_.name[slice]];
    text_ += ",\"ts\":";
    append_us(text_, slices_.start[slice]);
    text_ += ",\"dur\":";
    append_us(text_, slices_.end[slice] - slices_.start[slice]);
    text_ += ",\"args\":{";
    if (slices_.site[slice] >= 0) text_ += "\"code\":" + sites_[slices_.site[slice]] + ",";
    text_ += "\"detail\":";
    text_ += lane_of(slice).details;
    if (slices_.bytes[slice]) {
        text_ += ",\"process_bytes\":";
        append(text_, slices_.bytes[slice]);
    }
    text_ += "}}";
}

void TraceWriter::slices(const std::vector<int32_t>& lanes, const TraceStyle& style) {
    std::vector<int32_t> order;
    for (const int32_t lane : lanes) {
        const auto [first, last] = std::equal_range(slices_.lane.begin(), slices_.lane.end(), lane);
        for (auto at = first; at != last; ++at) order.push_back(static_cast<int32_t>(at - slices_.lane.begin()));
    }
    if (lanes.size() > 1)
        std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) { return slices_.start[a] < slices_.start[b]; });
    std::vector<std::string> heads; // of the lane and those beside it: how each of its events begins
    std::vector<int64_t> free;      // of each: where its last slice ends
    for (const int32_t slice : order) {
        const size_t side = first_fit(free, slices_.start[slice], slices_.end[slice]);
        side_[slice] = static_cast<int32_t>(side);
        if (side == heads.size()) {
            const TraceLane& lane = lane_of(slice);
            sort_event(lane.pid, beside(lane.tid, side), style.sort);
            heads.push_back("{\"ph\":\"X\",\"pid\":" + lane.pid + ",\"tid\":\"" + beside(lane.tid, side) + "\"" + style.colour +
                            ",\"name\":");
        }
        one_slice(slice, heads[side]);
    }
}

void TraceWriter::begin_and_end(const std::string& pid, const char* tid, std::vector<Span>& spans, const TraceStyle& style,
                                int64_t number) {
    std::sort(spans.begin(), spans.end());
    std::vector<int64_t> free;
    std::vector<std::string> tails;
    std::string known;
    for (const Span& span : spans) {
        const size_t side = first_fit(free, span.begin, span.end);
        if (side == tails.size()) {
            sort_event(pid, beside(tid, side), style.sort);
            tails.push_back(",\"pid\":" + pid + ",\"tid\":\"" + beside(tid, side) + "\"" + style.colour + "}");
        }
        known = ",\"name\":\"";
        known += *span.name;
        known += "\",\"id\":";
        append(known, number++);
        known += tails[side];
        begin_event();
        text_ += "{\"ph\":\"B\",\"ts\":";
        append_us(text_, span.begin);
        text_ += known;
        begin_event();
        text_ += "{\"ph\":\"E\",\"ts\":";
        append_us(text_, span.end);
        text_ += known;
    }
}

// A pipe waits from where it was free until the flag is set; when it waits for several, one after the other.
TraceWriter::Spans TraceWriter::waits_of(std::vector<Flags>& flags, const std::vector<int32_t>& waiters) const {
    Spans spans;
    for (size_t i = 0; i < waiters.size(); i++) {
        const int32_t waiter = waiters[i];
        if (waiter == 0 || slices_.lane[waiter - 1] != slices_.lane[waiter]) continue; // nothing says since when it waits
        Flags& sorted = flags[i];
        std::sort(sorted.begin(), sorted.end(),
                  [](const auto& a, const auto& b) { return std::tie(a.first, *a.second) < std::tie(b.first, *b.second); });
        int64_t begin = slices_.end[waiter - 1];
        for (const auto& [end, name] : sorted) {
            if (!(begin < end && end <= slices_.start[waiter])) continue;
            const std::string& pid = lane_of(waiter).pid;
            auto found = std::find_if(spans.begin(), spans.end(), [&](const auto& each) { return each.first == pid; });
            if (found == spans.end()) found = spans.insert(spans.end(), {pid, {}});
            found->second.push_back({begin, end, name});
            begin = end;
        }
    }
    return spans;
}

const std::string& TraceWriter::flag_name(int32_t setter, int32_t waiter) {
    const uint64_t key = static_cast<uint64_t>(slices_.lane[setter]) << 32 | static_cast<uint32_t>(slices_.lane[waiter]);
    std::string& name = flag_names_[key];
    if (name.empty()) name = lane_of(setter).tid + "_TO_" + lane_of(waiter).tid;
    return name;
}

void TraceWriter::flags(const std::vector<std::pair<int32_t, int32_t>>& flows, int64_t cycle_ns, const TraceStyle& set,
                        const TraceStyle& wait) {
    Spans sets;
    std::map<std::string, size_t> known; // pid -> place in sets
    std::vector<int32_t> waiters;
    std::unordered_map<int32_t, size_t> places;
    std::vector<Flags> waits;
    for (const auto& [setter, waiter] : flows) {
        const std::string* name = &flag_name(setter, waiter);
        const int64_t end = slices_.end[setter];
        const auto [place, is_new] = known.try_emplace(lane_of(setter).pid, sets.size());
        if (is_new) sets.push_back({lane_of(setter).pid, {}});
        sets[place->second].second.push_back({end, end + cycle_ns, name});
        const auto [at, first] = places.try_emplace(waiter, waits.size());
        if (first) {
            waits.emplace_back();
            waiters.push_back(waiter);
        }
        waits[at->second].push_back({end, name});
    }
    int64_t number = 0;
    const auto write = [&](const char* tid, Spans& spans, const TraceStyle& style) {
        for (auto& [pid, each] : spans) {
            begin_and_end(pid, tid, each, style, number);
            number += static_cast<int64_t>(each.size());
        }
    };
    write("SET_FLAG", sets, set);
    Spans waited = waits_of(waits, waiters);
    write("WAIT_FLAG", waited, wait);
}

// Arrows bind to the slice around them, so each begins just inside the end of its slice. "s" and "t" are enough for Perfetto and
// chrome://tracing; an "f" behind the "t" would draw one more arrow from the slice to itself.
void TraceWriter::arrows(const std::vector<std::pair<int32_t, int32_t>>& flows) {
    int64_t number = 0;
    std::string known;
    const auto arrow = [&](const char* head, int64_t at, int32_t slice) {
        begin_event();
        text_ += head;
        append_us(text_, at);
        text_ += known;
        text_ += lane_of(slice).pid;
        text_ += ",\"tid\":\"";
        text_ += lane_of(slice).tid;
        if (side_[slice]) text_ += " (" + std::to_string(side_[slice] + 1) + ")";
        text_ += "\"}";
    };
    for (const auto& [setter, waiter] : flows) {
        known = ",\"name\":\"flow\",\"cat\":\"";
        known += lane_of(setter).tid;
        known += "To";
        known += lane_of(waiter).tid;
        known += "\",\"id\":";
        append(known, number++);
        known += ",\"bp\":\"e\",\"pid\":";
        arrow("{\"ph\":\"s\",\"ts\":", std::max(slices_.start[setter], slices_.end[setter] - 1), setter);
        arrow("{\"ph\":\"t\",\"ts\":", slices_.start[waiter], waiter);
    }
}

} // namespace aclimb::timing
