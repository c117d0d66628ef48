// SPDX-License-Identifier: Apache-2.0
// Global memory. Every access is written down with the clock it began at; when the launch has ended, those that could meet are laid over
// each other in an order that the clocks themselves give (the sum of all that is known grows along every edge), so the answer does not
// depend on which core was faster.
#pragma once
#include <atomic>

#include "check/shadow.h"
#include "isa/ranges.h"

namespace aclimb::check {

struct GmAccess {
    Access access;
    Start start;
    Rectangle bytes;
    const Start* now = nullptr; // a cached load: when it was made; `start` is when its line was filled
};

// How many accesses the logs of a launch may still take, all together; asked for in shares.
struct LogBudget {
    static constexpr int64_t kShare = 256;
    std::atomic<int64_t> left{INT64_MAX};
};

class GmLog { // of one core
  public:
    explicit GmLog(LogBudget* budget = nullptr) : budget_(budget) {}
    GmAccess* add(const Access& access, const Start& start, const Rectangle& bytes) { // null: there is no room
        if (all_.size() == room_ && !more_room()) return nullptr;
        return &all_.emplace_back(GmAccess{access, start, bytes});
    }
    bool is_full() const { return is_full_; }
    const std::vector<GmAccess>& all() const { return all_; }
    std::vector<GmAccess>& all() { return all_; }
    uint64_t bytes() const { return all_.capacity() * sizeof(GmAccess); }

  private:
    bool more_room() {
        if (budget_ && budget_->left.fetch_sub(LogBudget::kShare, std::memory_order_relaxed) <= 0) is_full_ = true;
        else room_ += static_cast<size_t>(LogBudget::kShare);
        return !is_full_;
    }

    LogBudget* budget_;
    size_t room_ = 0;
    bool is_full_ = false;
    std::vector<GmAccess> all_;
};

struct GmRace {
    const GmAccess *x, *y; // x first in the order of the clocks
    uint64_t begin, end;
    int sums; // unordered float sums on these bytes, y included; 0: a race
};

// Every pair in no order, each with its first common bytes; `keeps_all`: also pairs behind a write that is reported already.
template <class Seen> void sweep(const std::vector<GmLog*>& logs, bool keeps_all, Seen seen);

std::vector<const GmAccess*> those_that_meet(const std::vector<GmLog*>& logs);
void in_order_of_clocks(std::vector<const GmAccess*>& accesses);
bool in_order(const GmAccess& x, const GmAccess& y); // x ends before y begins

template <class Seen> void each_row(const Rectangle& bytes, Seen seen) {
    for (uint32_t row = 0; row < bytes.count; row++) {
        const uint64_t begin = bytes.begin + row * static_cast<uint64_t>(bytes.stride);
        seen(begin, begin + bytes.length);
    }
}

bool overlap(const Rectangle& a, const Rectangle& b);

// A scalar unit and the data cache it stores through are in order with each other.
inline bool is_own_cache(const Access& x, const Access& y) {
    const auto scalar = [](Agent agent) { return agent == Agent::S || agent == Agent::D; };
    return x.unit == y.unit && scalar(x.agent) && scalar(y.agent);
}

template <class Seen> void sweep(const std::vector<GmLog*>& logs, bool keeps_all, Seen seen) {
    std::vector<const GmAccess*> accesses = those_that_meet(logs);
    if (accesses.empty()) return;
    in_order_of_clocks(accesses);
    Shadow shadow(keeps_all);
    // The shadow knows accesses by their number in this list.
    for (size_t number = 0; number < accesses.size(); number++) {
        const GmAccess& y = *accesses[number];
        Access kept = y.access;
        kept.site = static_cast<uint32_t>(number);
        each_row(y.bytes, [&](uint64_t begin, uint64_t end) {
            int sums = 0;
            if (kept.marks & kFloatAdd)
                shadow.look_at_sums(kept, begin, end, [&](const Access& earlier) { sums += !in_order(*accesses[earlier.site], y); });
            if (sums >= 2) seen(GmRace{&y, &y, begin, end, sums + 1});
            shadow.touch(kept, begin, end, [&](const Met& met) {
                const GmAccess& x = *accesses[met.earlier.site];
                if (!is_own_cache(x.access, y.access) && !in_order(x, y)) seen(GmRace{&x, &y, met.begin, met.end, 0});
            });
        });
    }
}

} // namespace aclimb::check
