// SPDX-License-Identifier: Apache-2.0
// What the checker found, in numbers; the sentences are Python's (src/aclimb/check). One finding for each kind and pair of places, with the
// lowest block and byte as its example and a count of how often it was met.
#pragma once
#include <array>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

#include "aclimb/abi.h"
#include "check/access.h"
#include "check/order.h"

namespace aclimb::check {

enum class FindingKind : uint8_t {
    race,             // two agents of one core, or one with itself
    race_cores,       // two cores, in global memory
    race_equal,       // ... that write the same bytes
    atomic_mix,       // an atomic access and another kind
    atomic_float,     // three unordered sums
    compiler_edge,    // in order only because the compiler inserts a flag
    not_written_back, // a cached store that another reader does not see
    not_awaited,      // ... although its line was cleaned: nobody waited until that had happened
    stale,            // a cached load of a line that was filled too early
    shared_line,      // two cores store to one line of the data cache
    partial_clean,    // a cleaned line whose beginning is not
    unwritten,        // bytes of local memory that nobody wrote
    unwritten_gm,     // ... of global memory
    other_member,     // ... that another member of the SuperKernel wrote
    reused,           // global memory that was freed and given out again, through an older address
    freed_too_early,  // global memory, while a task may still use it
    streams,          // tasks of two streams
    host_access,      // the host, while a task runs
    sync_words,       // words of a synchronisation, touched by the kernel itself
    reserved_id,      // flags that the system keeps for itself
    mixed_groups,     // one flag between cores, set by two groups
    mixed_pipes,      // ... or by two pipes
    early_set,        // SetNextTaskStart does not cover what the next member touches
    early_write,      // a member writes before WaitPreTaskEnd
    early_read,       // ... or reads
    early_local,      // local memory that the member before still uses
    two_pipes_alias,  // buffers of two TPipes
    bank_conflict,    // advice
    short_copy,
    misaligned_copy,
    needless_sync,
    compare_tail, // a Compare whose last elements are no whole repeat
    overlap,      // operands of one instruction, in part
    over_itself   // a result that runs into what is still to be read
};

// Where an access was written.
struct Spot {
    uint64_t pc = 0;
    Op op{};
    int32_t sub = -1;            // member of a SuperKernel
    uint8_t waited = 1, set = 0; // behind its WaitPreTaskEnd, its SetNextTaskStart
    uint8_t pipes = 0;           // how many TPipes had handed out buffers
    bool operator==(const Spot&) const = default;
};

// Spots of one core, by number; the operand is added to the number of an access.
class Spots {
  public:
    uint32_t number(const Spot& spot);
    const Spot& operator[](uint32_t site) const { return spots_[site / kOperands]; }
    static uint32_t with_operand(uint32_t number, int operand) { return number * kOperands + static_cast<uint32_t>(operand); }
    static int operand(uint32_t site) { return static_cast<int>(site % kOperands); }

  private:
    static constexpr uint32_t kOperands = 8;
    std::vector<Spot> spots_;
    std::array<uint32_t, 64> recent_{}; // by address: the last spot found there, plus one
    std::multimap<uint64_t, uint32_t> known_;
};

struct Side {
    Spot spot;
    int operand = 0;
    int32_t unit = -1;
    int64_t block = -1, core_idx = -1;
    CoreType core_type = CoreType::AIV;
    Agent agent = Agent::S;
    Way way = Way::reads;
    uint32_t count = 0; // its number on that agent
};

// A synchronisation near two accesses: on their core, or on that of one of them.
enum class At : uint8_t { before_first, between, behind_first, before_second };
struct Standing {
    SyncMark mark;
    Spot spot;
    At at;
};

struct Finding {
    FindingKind kind{};
    Side first, second;
    bool has_second = false;
    Memory memory = Memory::GM;
    bool in_register = false;
    uint64_t begin = 0, end = 0;
    uint64_t met = 1, blocks = 1;
    int64_t number = 0;          // what else there is to say: bytes, an id
    std::vector<Standing> order; // what was set and waited for near the two
};

class Findings {
  public:
    std::function<void(const Finding&)> each; // is told of every one, also of those that are counted together; locked
    void add(Finding finding);
    std::vector<Finding> sorted() const;
    void adopt(std::vector<Finding> all); // counted elsewhere, instead of those that are here
    bool empty() const {
        std::lock_guard lock(mutex_);
        return found_.empty();
    }

  private:
    using Key = std::array<uint64_t, 6>;
    static Key key_of(const Finding& finding);
    struct Kept {
        Finding finding;
        std::set<int64_t> blocks;
    };
    mutable std::mutex mutex_;
    std::map<Key, Kept> found_;
};

} // namespace aclimb::check
