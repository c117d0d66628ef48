// SPDX-License-Identifier: Apache-2.0
// Which bytes of a core's memories hold a value. What was never written may be moved and computed with, as long as it does not matter: the
// tail of a block, a lane that is dropped later. So it travels with the data, lane by lane, and is told where it matters: in global memory,
// in the scalar unit, in an address, in a product. With it travels where it was first read.
#pragma once
#include <unordered_map>
#include <vector>

#include "check/findings.h"
#include "check/global_values.h"
#include "core/core.h"
#include "isa/ranges.h"

namespace aclimb::check {

struct Unwritten { // bytes without a value that matter
    Memory memory;
    uint64_t begin, end;
    uint32_t origin; // where they were first read; 0: here
    int operand;
    bool of_other_member = false, from_global = false, from_scratch = false;
};

// Of an origin: the lack came with a read of global memory; an instruction left its scratch there.
constexpr uint32_t kFromGlobal = 1u << 31, kFromScratch = 1u << 30;

class Validity {
  public:
    Validity(const LocalMemory& like, GlobalValues* global);

    // An instruction has run. `site`: of it, from 1; `member`: of a SuperKernel, from 1. What matters is appended to `told`.
    void run(Core& core, const Head& head, const Ranges& touched, uint32_t site, uint8_t member, bool eager, std::vector<Unwritten>& told);
    void enter(uint8_t member) { member_ = member; }
    uint64_t bytes() const;

  private:
    struct Room { // one memory: a bit for each byte that holds a value, and by blocks of 32 where the lack comes from and who wrote
        uint64_t size = 0;
        std::vector<uint64_t> valid;
        std::vector<uint32_t> origin;
        std::vector<uint8_t> writer;
        std::unordered_map<uint64_t, uint8_t> bits; // of bytes, results of a comparison, of which only some bits have a value

        bool has(uint64_t at) const { return valid[at / 64] >> (at % 64) & 1; }
    };
    Room& room(Memory memory) { return rooms_[static_cast<int>(memory)]; }
    static bool has_all(const Room& room, const Rectangle& bytes);
    static bool has_all(const Room& room, uint64_t begin, uint64_t length) {
        return first_without(room, begin, begin + length) == begin + length;
    }
    static uint64_t first_without(const Room& room, uint64_t begin, uint64_t end); // a value; `end`: none
    static uint32_t origin_of(const Room& room, const Rectangle& bytes);
    void put(Room& room, uint64_t begin, uint64_t length, bool valid, uint32_t origin);
    void put(Room& room, const Rectangle& bytes, bool valid, uint32_t origin) {
        for (uint32_t row = 0; row < bytes.count; row++)
            put(room, bytes.begin + row * static_cast<uint64_t>(bytes.stride), bytes.length, valid, origin);
    }
    bool leaves_only_rest(const Head& head, const Bytes& bytes) const;
    void tell(const Bytes& bytes, Memory memory, std::vector<Unwritten>& told);
    void look_at_writers(const Bytes& bytes, Memory memory, uint8_t member, std::vector<Unwritten>& told);
    void spread(Core& core, const Head& head, const Ranges& touched, uint32_t origin);
    bool spread_by_running(Core& core, const Head& head, const Ranges& touched, uint32_t origin);
    void lanewise(const Vector& v, uint32_t origin);
    void reduce(const Vector& v, uint32_t origin);
    void compare(const Vector& v, uint32_t origin);
    void select(Core& core, const Select& record, uint32_t origin);
    void multiply(const Mmad& mmad, uint32_t origin);
    template <class Line> static bool has_line(const Room& from, const Line& line);
    bool is_rounded_up(const Mmad& mmad, int operand); // a factor that lacks rows or columns, which nobody may read
    void gather(Core& core, const Vector& v, uint32_t origin);
    void copy_from_global(const Copy& copy, uint32_t site);
    void leave_filler(const Copy& copy, uint32_t site);
    void leave_scratch(const Ranges& touched, uint32_t site);

    Room rooms_[kMemories];
    uint8_t* shadow_base_[kMemories] = {}; // while a record runs on shadows
    uint8_t member_ = 0;
    GlobalValues* global_; // null: all of it holds values
};

} // namespace aclimb::check
