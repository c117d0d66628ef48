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

    // Boxes: what is put in first is taken out first. `when` it can be taken.
    void post(int32_t unit, uint64_t box, Time when, uint32_t site, std::vector<int32_t>& raised);
    bool take_post(int32_t unit, uint64_t box, Time& when, uint32_t& site, bool& by_aic); // false: it is empty

    // Rounds of soft synchronisations. `last`: when the last of `arrivals` came; false: they are not all there.
    void arrive(uint64_t place, uint32_t round, Time when, std::vector<int32_t>& raised);
    bool pass(int32_t unit, uint64_t place, uint32_t round, uint32_t arrivals, Time& last);
    bool waits(int32_t unit, uint64_t place, uint32_t round) const; // it has asked before

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
    struct Round {
        uint32_t arrived = 0;
        Time last = 0;
        std::vector<int32_t> waiting;
    };
    struct Box {
        std::vector<Release> sent;
        size_t taken = 0;
        std::vector<int32_t> waiting;
    };
    bool is_aic(int32_t unit) const { return unit % (aics_ + aivs_) < aics_; }

    int aics_ = 0, aivs_ = 0;
    std::vector<Group> groups_;
    std::vector<Unit> units_;
    std::map<std::pair<uint64_t, uint32_t>, Round> rounds_; // by place and number
    std::map<uint64_t, Box> boxes_;
};

} // namespace aclimb::timing
