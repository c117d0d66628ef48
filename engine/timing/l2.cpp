// SPDX-License-Identifier: Apache-2.0
#include "timing/l2.h"

#include <algorithm>
#include <bit>

namespace aclimb::timing {

L2::L2(uint64_t bytes) : capacity_(std::max<uint64_t>(1, bytes / kLineBytes)) {
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
    if (used_ >= capacity_) drop_oldest(touched);
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

void L2::write(uint64_t addr, uint64_t bytes, bool bypass, Touched& touched) {
    const uint64_t end = addr + bytes;
    for (uint64_t number = addr / kLineBytes; number <= (end - 1) / kLineBytes; number++) {
        const uint64_t from = std::max(addr, number * kLineBytes), to = std::min(end, (number + 1) * kLineBytes);
        uint32_t at = find(number);
        (at == kNone ? touched.miss : touched.hit) += to - from;
        if (at == kNone && bypass) {
            touched.written_back += to - from;
            continue;
        }
        if (at == kNone) at = insert(number, touched);
        else use(at);
        lines_[at].dirty = true;
        lines_[at].half = false;
    }
}

Time L2::queue(uint64_t addr, uint32_t core, Time now, Time each) {
    const uint32_t at = find(addr / kLineBytes);
    if (at == kNone) return 0;
    Line& line = lines_[at];
    const Time wait = line.core != core && line.busy > now ? line.busy - now : 0;
    line.busy = now + wait + each;
    line.core = core;
    return wait;
}

void L2::start(L2Start state) {
    for (Line& line : lines_) {
        line.busy = 0;
        line.core = kNone;
        if (state != L2Start::dirty_warm) line.dirty = false;
    }
    if (state != L2Start::cold) return;
    lines_.clear();
    spare_.clear();
    std::fill(buckets_.begin(), buckets_.end(), kNone);
    oldest_ = newest_ = kNone;
    used_ = 0;
}

} // namespace aclimb::timing
