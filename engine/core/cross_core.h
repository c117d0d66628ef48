// SPDX-License-Identifier: Apache-2.0
// Flags between the cores of a launch: 16 counters a core. All calls with the launch's mutex held.
//
//   mode 0  all cores of the setter's kind set     -> each of them +1
//   mode 1  all AIVs of the setter's block set     -> each of them +1
//   mode 2  the AIC sets                           -> each AIV of its block +1
//           all AIVs of a block set                -> its AIC +1
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "aclimb/abi.h"

namespace aclimb {

constexpr int kCrossFlags = 16;
constexpr int kCrossLimit = 15; // a counter may not exceed it

// Those that the system keeps for SyncAll and for early start: all AICs, all AIVs, and between the two kinds.
constexpr uint8_t kAllAics = 11, kAivsToAic = 12, kAicToAivs = 13, kAllAivs = 14;
inline uint8_t flag_of_all(CoreType type) { return type == CoreType::AIC ? kAllAics : kAllAivs; }

// Who sets together, and who is raised when all of them have.
struct CrossGroup {
    int mode;
    std::vector<int32_t> members, targets; // never empty
};
std::vector<CrossGroup> cross_groups(int64_t num_blocks, int aics_per_block, int aivs_per_block);

class CrossCore {
  public:
    void reset(int64_t num_blocks, int aics_per_block, int aivs_per_block);

    // Counts one set. The cores whose counter went up are appended to `raised`. False, and nothing is counted: a counter would exceed its
    // limit. `sub` is the sub-kernel that sets, in a fused kernel.
    bool set(int32_t unit, int mode, int id, const void* site, int32_t sub, std::vector<int32_t>& raised);
    bool take(int32_t unit, int id); // one down; false when the counter is 0
    uint8_t value(int32_t unit, int id) const { return units_[unit].counter[id]; }
    const void* site(int32_t unit, int id) const { return units_[unit].site[id]; } // the set that raised it last
    int32_t setter(int32_t unit, int id) const { return units_[unit].sub[id]; }
    int64_t left_over(int32_t unit) const; // first id whose counter is not 0, or -1

    // Cores that take part in releasing (unit, mode, id) and have not set it yet, for messages.
    std::vector<int32_t> missing(int32_t waiting_unit, int id) const;

  private:
    struct Unit {
        uint8_t counter[kCrossFlags];
        uint32_t sets[3][kCrossFlags];
        const void* site[kCrossFlags];
        int32_t sub[kCrossFlags];
    };
    struct Group {
        std::vector<int32_t> members, targets;
        uint32_t released[kCrossFlags], arrived[kCrossFlags];
    };
    Group* group_of(int32_t unit, int mode);
    int64_t blocks_ = 0;
    int aics_ = 0, aivs_ = 0; // what the groups below were made for
    std::vector<Unit> units_;
    std::vector<Group> groups_;               // all that exist in this launch
    std::vector<std::array<int32_t, 3>> map_; // unit, mode -> index in groups_, -1 for none
};

} // namespace aclimb
