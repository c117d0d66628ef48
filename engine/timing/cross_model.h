// SPDX-License-Identifier: Apache-2.0
// Flags between cores in time. The n-th set of every member of a group makes its n-th release; a wait takes the next release.
#pragma once
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "timing/results.h"

namespace aclimb::timing {

class CrossModel {
  public:
    void reset(int64_t blocks, int aics, int aivs);
    // Cores whose counter goes up are appended to `raised`.
    void set(int32_t unit, int mode, int id, Time when, uint32_t site, bool sync_all, const Parameters& p, std::vector<int32_t>& raised);
    bool take(int32_t unit, int id, Time& when, uint32_t& site, bool& by_aic); // false: not released yet

    // Messages between the cores of a block; `peer` is 1 + the index of an AIV, 0 for the AIC. `when` it can be taken.
    void post(int32_t unit, uint32_t peer, Time when, uint32_t site, std::vector<int32_t>& raised);
    bool take_post(int32_t unit, uint32_t peer, Time& when, uint32_t& site, bool& by_aic); // false: not sent yet

    // Soft SyncAll: everybody's n-th arrival at a word of global memory. False: not all are there; `raised` when they are.
    bool meet(int32_t unit, uint64_t addr, uint32_t cores, Time when, Time& all, std::vector<int32_t>& raised);
    // IBSet: `free` is when the word was last emptied; false: it is not. IBWait: false: nobody has set it. `latency` until a change is
    // seen.
    bool ib_set(int32_t unit, uint64_t addr, bool waits, Time when, Time latency, Time& free, std::vector<int32_t>& raised);
    bool ib_wait(int32_t unit, uint64_t addr, Time issued, Time latency, Time& when, std::vector<int32_t>& raised);

  private:
    static constexpr int kIds = 16;
    struct Release {
        Time when;
        uint32_t site;
        bool by_aic;
    };
    struct Group {
        std::vector<int32_t> members, targets;
        std::vector<uint32_t> sets[kIds];    // by member
        std::vector<uint32_t> arrived[kIds]; // by round
        std::vector<Time> latest[kIds];      // by round
    };
    struct Unit {
        std::vector<Release> released[kIds];
        size_t taken[kIds] = {};
        int32_t group[3] = {-1, -1, -1};
        int32_t place[3] = {0, 0, 0}; // among the members
    };
    struct Meeting {
        std::map<int32_t, uint32_t> rounds;
        std::vector<Time> latest;
        std::vector<uint32_t> arrived;
        std::vector<int32_t> waiting;
    };
    struct Word {
        std::vector<Time> sets;
        size_t taken = 0;
        Time emptied = 0;
        std::vector<int32_t> waiting;
    };
    struct Box {
        std::vector<Release> sent;
        size_t taken = 0;
    };
    int32_t peer_of(int32_t unit, uint32_t peer) const {
        return unit / (aics_ + aivs_) * (aics_ + aivs_) + (peer ? aics_ + static_cast<int32_t>(peer) - 1 : 0);
    }
    bool is_aic(int32_t unit) const { return unit % (aics_ + aivs_) < aics_; }

    int aics_ = 0, aivs_ = 0;
    std::vector<Group> groups_;
    std::vector<Unit> units_;
    std::map<uint64_t, Meeting> meetings_;
    std::map<uint64_t, Word> words_;
    std::map<std::pair<int32_t, int32_t>, Box> boxes_; // by receiver and sender
};

} // namespace aclimb::timing
