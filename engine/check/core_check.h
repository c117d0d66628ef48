// SPDX-License-Identifier: Apache-2.0
// One core under the checker: what its instructions touch, against the order that there is. Local memories are judged at once; global
// memory is written down, and judged when all cores have ended.
#pragma once
#include <memory>
#include <unordered_set>

#include "check/cache.h"
#include "check/findings.h"
#include "check/gm_log.h"
#include "check/order.h"
#include "check/shadow.h"

namespace aclimb::check {

enum class AutoSync : uint8_t { on, off, warn }; // the compiler's own flags on an AIV

struct Options {
    AutoSync auto_sync = AutoSync::on;
    bool cache = true;  // rules of the data cache
    bool init = true;   // bytes that nobody wrote
    bool eager = false; // ... at the first read
    bool advice = false;
    bool tape = false;              // kept, to be judged again with calls moved
    bool all_pairs = false;         // for tests: no pair stands for another
    uint64_t log_bytes = 256 << 20; // of accesses to global memory, in one launch
};

struct Touch { // what an instruction does with one piece of memory
    Memory memory;
    Way way;
    uint8_t operand, marks, atomic;
    Rectangle bytes;
    uint64_t value = 0;
    bool in_register = false; // a result that V leaves for others; the address is its number

    bool is_global() const { return memory == Memory::GM && !in_register; }
    int room() const { return in_register ? 0 : static_cast<int>(memory); } // among the local ones
};

class CoreCheck {
  public:
    CoreCheck(const Options& options, Findings& findings, int32_t unit, CoreType type, int64_t block, int64_t core_idx,
              LogBudget* budget = nullptr);

    // An instruction that runs: reads first, then writes. `orders_itself`: a product whose sums follow the one before without a barrier.
    void run(Agent agent, const Spot& spot, const std::vector<Touch>& touches, bool orders_itself = false);
    void scalar(const Spot& spot, const Touch& touch, bool listed, bool past_cache);
    void clean(const Spot& spot, uint64_t begin, uint64_t end);
    void barrier_of_scalar(uint64_t scope);             // DataSyncBarrier; scope: MemDsbT
    void synchronised(SyncMark mark, const Spot& spot); // for messages
    void end();

    Side side(const Access& access) const;
    std::vector<Standing> order_near(const Access& x) const;                        // between it and now, and before it
    void across_near(const Access& access, At at, std::vector<Standing>& to) const; // of cores: behind it or before it
    bool has_set_across() const { return set_across_; }

    CoreOrder order;
    GmLog log;
    Spots spots;
    const int32_t unit;
    const CoreType type;
    const int64_t block, core_idx;

  private:
    void touch(const Access& access, const Touch& touch, Start& start, bool orders_itself);
    void touch_global(const Access& access, const Touch& touch, const Start& start);
    void store_cached(const Access& access, const Touch& touched, const Start& start);
    void supply_for_scalar(const Access& access, const Touch& touch, Start& start);
    void supply_for_pipe(const Access& access, const std::vector<Touch>& touches, Start& start);
    void report(FindingKind kind, const Access& x, const Access& y, const Touch& touch, uint64_t begin, uint64_t end);
    template <class Seen> void each_unordered(const Access& access, const Touch& touch, const Start& start, Seen seen) const;

    const Options& options_;
    Findings& findings_;
    Shadow local_[kMemories];
    DataCache cache_;
    std::vector<SyncMark> syncs_; // the last ones
    size_t next_sync_ = 0;
    std::vector<SyncMark> across_; // those between cores
    bool set_across_ = false;
    uint32_t last_listed_ = 0, last_local_ = 0,
             last_global_ = 0; // scalar accesses: that the compiler orders, to local memory, to global memory
    std::unordered_set<uint64_t> read_leaves_, written_leaves_; // of global memory, by pipes
    std::vector<GmAccess> scalars_;                             // listed scalar accesses to global memory
};

} // namespace aclimb::check
