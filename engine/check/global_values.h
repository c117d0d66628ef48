// SPDX-License-Identifier: Apache-2.0
// Which bytes of global memory hold a value: of what was allocated while the check was open. Everything else is taken as written, and so is
// all of it once the host has done something that cannot be seen. What a chip has behind an allocation belongs to it, and the host cannot
// write it.
#pragma once
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <shared_mutex>
#include <vector>

#include "isa/ranges.h"

namespace aclimb::check {

class GlobalValues {
  public:
    void allocated(uint64_t addr, uint64_t size);
    void freed(uint64_t addr);
    void wrote(uint64_t begin, uint64_t end);
    void wrote(const Rectangle& bytes);
    void wrote_everything(); // that there is
    // `with_rest`: also of what lies behind the allocation, in its last block and the next; without it, that is taken as written.
    bool has_all(const Rectangle& bytes, bool with_rest) const;
    uint64_t past_end(const Rectangle& bytes) const; // how many bytes of its last row lie there
    bool has(uint64_t addr) const;

    static uint64_t with_rest(uint64_t size) { return (size + 31) / 32 * 32 + 32; }
    struct Words { // of one allocation: a bit for each byte, also of the rest
        uint64_t addr, size;
        std::vector<uint64_t> words;
    };
    std::vector<Words> pieces(uint64_t begin, uint64_t end) const; // that lie there
    void wrote_words(uint64_t addr, uint64_t size,
                     const std::vector<uint64_t>& words); // of the allocation that is there, if it is that one

  private:
    struct Piece {
        explicit Piece(uint64_t size) : size(size), whole(with_rest(size)), bits((whole + 63) / 64) {}
        uint64_t size, whole;                    // with the rest
        std::vector<std::atomic<uint64_t>> bits; // one a byte
    };
    const Piece* piece_of(uint64_t addr, uint64_t& begin) const;
    static uint64_t first_without(const Piece& piece, uint64_t begin, uint64_t end);

    mutable std::shared_mutex mutex_;
    std::map<uint64_t, std::unique_ptr<Piece>> pieces_; // by address
    std::atomic<bool> any_{false};
};

} // namespace aclimb::check
