// SPDX-License-Identifier: Apache-2.0
#include "timing/l2.h"

#include <algorithm>
#include <bit>

namespace aclimb::timing {

L2::L2(uint64_t bytes) : all_(std::max<uint64_t>(1, bytes / kLineBytes)), capacity_(all_), asked_(size_t{kAskedWays} << kAskedBits) {
    const int bits = std::max(4, static_cast<int>(std::bit_width(capacity_)));
    shift_ = 64 - bits;
    buckets_.assign(size_t{1} << bits, kNone);
}

uint32_t L2::find(uint64_t number) const {
    uint32_t at = bucket(number);
    while (at != kNone && lines_[at].number != number) at = lines_[at].next;
    return at;
}

void L2::unlink(uint32_t at) {
    Line& line = lines_[at];
    (line.before == kNone ? oldest_ : lines_[line.before].after) = line.after;
    (line.after == kNone ? newest_ : lines_[line.after].before) = line.before;
}

void L2::use(uint32_t at) {
    if (newest_ == at) return;
    Line& line = lines_[at];
    const bool linked = line.before != kNone || line.after != kNone || oldest_ == at;
    if (linked) unlink(at);
    line.before = newest_;
    line.after = kNone;
    (newest_ == kNone ? oldest_ : lines_[newest_].after) = at;
    newest_ = at;
}

void L2::drop_oldest(Touched& touched) {
    const uint32_t at = oldest_;
    Line& line = lines_[at];
    if (line.dirty) touched.written_back += kLineBytes;
    unlink(at);
    uint32_t* link = &bucket(line.number);
    while (*link != at) link = &lines_[*link].next;
    *link = line.next;
    spare_.push_back(at);
    used_--;
}

uint32_t L2::insert(uint64_t number, Touched& touched) {
    while (used_ >= capacity_) drop_oldest(touched);
    uint32_t at;
    if (spare_.empty()) {
        at = static_cast<uint32_t>(lines_.size());
        lines_.emplace_back();
    } else {
        at = spare_.back();
        spare_.pop_back();
        lines_[at] = Line{};
    }
    lines_[at].number = number;
    uint32_t& first = bucket(number);
    lines_[at].next = first;
    first = at;
    used_++;
    use(at);
    return at;
}

void L2::read(uint64_t addr, uint64_t bytes, uint64_t sector, bool bypass, Touched& touched) {
    constexpr uint64_t kPiece = 128; // a request ends on this, or its end is ragged
    const uint64_t end = addr + bytes;
    for (uint64_t number = addr / kLineBytes; number <= (end - 1) / kLineBytes; number++) {
        const uint64_t from = std::max(addr, number * kLineBytes), to = std::min(end, (number + 1) * kLineBytes);
        const bool ragged = from % kPiece || to % kPiece;
        uint32_t at = find(number);
        if (at != kNone && !(lines_[at].half && ragged)) {
            touched.hit += to - from;
            use(at);
            continue;
        }
        const uint64_t unit = bypass ? kPiece : sector;
        touched.miss += to - from;
        touched.brought += (to + unit - 1) / unit * unit - from / unit * unit;
        if (bypass) continue;
        if (at == kNone) {
            at = insert(number, touched);
            lines_[at].half = ragged;
        } else {
            lines_[at].half = false;
            use(at);
        }
    }
}

void L2::soil(uint32_t at) {
    Line& line = lines_[at];
    line.half = false;
    if (line.dirty) return;
    line.dirty = true;
    dirty_.push_back({line.number, at});
}

// A line that is not there and gets only a part of its bytes has the others brought, a sector at a time.
void L2::write(uint64_t addr, uint64_t bytes, uint64_t sector, bool bypass, Touched& touched) {
    const uint64_t end = addr + bytes;
    for (uint64_t number = addr / kLineBytes; number <= (end - 1) / kLineBytes; number++) {
        const uint64_t from = std::max(addr, number * kLineBytes), to = std::min(end, (number + 1) * kLineBytes);
        uint32_t at = find(number);
        (at == kNone ? touched.miss : touched.hit) += to - from;
        if (at == kNone && bypass) {
            touched.written_back += to - from;
            continue;
        }
        if (at == kNone) {
            at = insert(number, touched);
            if (from % sector) touched.brought += sector;
            if (to % sector && (to / sector != from / sector || from % sector == 0)) touched.brought += sector;
        } else {
            use(at);
        }
        soil(at);
    }
}

uint64_t L2::write_back(uint64_t lines) {
    uint64_t written = 0;
    while (written < lines && !dirty_.empty()) {
        const Dirty oldest = dirty_.front();
        dirty_.pop_front();
        Line& line = lines_[oldest.at];
        if (line.number != oldest.number || !line.dirty) continue;
        line.dirty = false;
        written++;
    }
    return written;
}

L2::Asked& L2::asked(uint64_t number) {
    Asked* first = &asked_[((number * 0x9E3779B97F4A7C15ull) >> (64 - kAskedBits)) * kAskedWays];
    Asked* oldest = first;
    for (Asked* each = first; each != first + kAskedWays; each++) {
        if (each->number == number) return *each;
        if (each->when < oldest->when) oldest = each;
    }
    return *oldest;
}

void L2::meet(uint64_t addr, uint64_t bytes, uint32_t core, Time now, Time window, Touched& touched) {
    const uint64_t end = addr + bytes;
    for (uint64_t number = addr / kLineBytes; number <= (end - 1) / kLineBytes; number++) {
        const uint64_t from = std::max(addr, number * kLineBytes), to = std::min(end, (number + 1) * kLineBytes);
        Asked& last = asked(number);
        if (last.number == number && last.core != core && now - last.when < window) touched.shared += to - from;
        last = {number, core, now};
    }
}

void L2::start(L2Start state, int sharers) {
    capacity_ = std::max<uint64_t>(1, all_ / static_cast<uint64_t>(std::max(1, sharers)));
    std::fill(asked_.begin(), asked_.end(), Asked{});
    if (state == L2Start::clean_warm) write_back(~uint64_t{0});
    if (state != L2Start::cold) return;
    lines_.clear();
    spare_.clear();
    dirty_.clear();
    std::fill(buckets_.begin(), buckets_.end(), kNone);
    oldest_ = newest_ = kNone;
    used_ = 0;
}

} // namespace aclimb::timing
