// SPDX-License-Identifier: Apache-2.0
#include "check/global_values.h"

#include <algorithm>
#include <mutex>

namespace aclimb::check {

void GlobalValues::allocated(uint64_t addr, uint64_t size) {
    std::unique_lock lock(mutex_);
    pieces_[addr] = std::make_unique<Piece>(size);
    any_ = true;
}

void GlobalValues::freed(uint64_t addr) {
    std::unique_lock lock(mutex_);
    pieces_.erase(addr);
}

void GlobalValues::wrote_everything() {
    std::unique_lock lock(mutex_);
    pieces_.clear();
    any_ = false;
}

// mutex_ held.
const GlobalValues::Piece* GlobalValues::piece_of(uint64_t addr, uint64_t& begin) const {
    auto found = pieces_.upper_bound(addr);
    if (found == pieces_.begin()) return nullptr;
    --found;
    begin = found->first;
    return addr < begin + found->second->whole ? found->second.get() : nullptr;
}

void GlobalValues::wrote(uint64_t begin, uint64_t end) {
    if (!any_) return;
    std::shared_lock lock(mutex_);
    uint64_t base = 0;
    auto* piece = const_cast<Piece*>(piece_of(begin, base)); // its bits may be set by several cores
    if (!piece) return;
    const uint64_t stop = std::min(end - base, piece->whole);
    for (uint64_t at = begin - base; at < stop;) {
        const uint64_t some = std::min(64 - at % 64, stop - at);
        const uint64_t mask = (some == 64 ? ~uint64_t{0} : (uint64_t{1} << some) - 1) << (at % 64);
        if (some == 64) piece->bits[at / 64].store(mask, std::memory_order_relaxed);
        else piece->bits[at / 64].fetch_or(mask, std::memory_order_relaxed);
        at += some;
    }
}

void GlobalValues::wrote(const Rectangle& bytes) {
    if (!any_) return;
    for (uint32_t row = 0; row < bytes.count; row++) {
        const uint64_t begin = bytes.begin + row * static_cast<uint64_t>(bytes.stride);
        wrote(begin, begin + bytes.length);
    }
}

uint64_t GlobalValues::first_without(const Piece& piece, uint64_t begin, uint64_t end) {
    for (uint64_t at = begin; at < end;) {
        const uint64_t word = piece.bits[at / 64].load(std::memory_order_relaxed);
        if (const uint64_t lacking = ~word >> (at % 64)) return std::min(end, at + static_cast<uint64_t>(__builtin_ctzll(lacking)));
        at = (at / 64 + 1) * 64;
    }
    return end;
}

bool GlobalValues::has_all(const Rectangle& bytes, bool with_rest) const {
    if (!any_) return true;
    std::shared_lock lock(mutex_);
    uint64_t base = 0;
    const Piece* piece = piece_of(bytes.begin, base);
    if (!piece) return true;
    const uint64_t stop = with_rest ? piece->whole : piece->size;
    for (uint32_t row = 0; row < bytes.count; row++) {
        const uint64_t begin = bytes.begin + row * static_cast<uint64_t>(bytes.stride) - base, end = std::min(begin + bytes.length, stop);
        if (begin < end && first_without(*piece, begin, end) < end) return false;
    }
    return true;
}

uint64_t GlobalValues::past_end(const Rectangle& bytes) const {
    if (!any_) return 0;
    std::shared_lock lock(mutex_);
    uint64_t base = 0;
    const Piece* piece = piece_of(bytes.begin, base);
    const uint64_t end = bytes.end() - base;
    return piece && end > piece->size ? std::min(end - piece->size, bytes.length) : 0;
}

bool GlobalValues::has(uint64_t addr) const {
    std::shared_lock lock(mutex_);
    uint64_t base = 0;
    const Piece* piece = piece_of(addr, base);
    return !piece || first_without(*piece, addr - base, addr - base + 1) != addr - base;
}

std::vector<GlobalValues::Words> GlobalValues::pieces(uint64_t begin, uint64_t end) const {
    std::shared_lock lock(mutex_);
    std::vector<Words> found;
    for (auto each = pieces_.lower_bound(begin); each != pieces_.end() && each->first < end; ++each) {
        Words& made = found.emplace_back(Words{each->first, each->second->size, {}});
        for (const auto& word : each->second->bits) made.words.push_back(word.load(std::memory_order_relaxed));
    }
    return found;
}

void GlobalValues::wrote_words(uint64_t addr, uint64_t size, const std::vector<uint64_t>& words) {
    std::shared_lock lock(mutex_);
    const auto found = pieces_.find(addr);
    if (found == pieces_.end() || found->second->size != size) return;
    for (size_t i = 0; i < words.size(); i++) found->second->bits[i].fetch_or(words[i], std::memory_order_relaxed);
}

} // namespace aclimb::check
