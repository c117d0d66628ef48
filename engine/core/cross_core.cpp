// SPDX-License-Identifier: Apache-2.0
#include "core/cross_core.h"

#include <cstring>

namespace aclimb {

std::vector<CrossGroup> cross_groups(int64_t num_blocks, int aics, int aivs) {
    const int per_block = aics + aivs;
    std::vector<CrossGroup> groups;
    const auto add = [&](int mode, const std::vector<int32_t>& members, const std::vector<int32_t>& targets) {
        if (!members.empty()) groups.push_back({mode, members, targets});
    };
    std::vector<int32_t> all_aic, all_aiv;
    for (int32_t block = 0; block < num_blocks; block++) {
        std::vector<int32_t> aic, aiv;
        for (int i = 0; i < per_block; i++) (i < aics ? aic : aiv).push_back(block * per_block + i);
        all_aic.insert(all_aic.end(), aic.begin(), aic.end());
        all_aiv.insert(all_aiv.end(), aiv.begin(), aiv.end());
        add(1, aiv, aiv);
        if (aic.empty() || aiv.empty()) continue;
        add(2, aic, aiv);
        add(2, aiv, aic);
    }
    add(0, all_aic, all_aic);
    add(0, all_aiv, all_aiv);
    return groups;
}

void CrossCore::reset(int64_t num_blocks, int aics, int aivs) {
    const int per_block = aics + aivs;
    if (blocks_ == num_blocks && aics_ == aics && aivs_ == aivs) { // launched before: only the counts start anew
        memset(units_.data(), 0, units_.size() * sizeof(Unit));
        for (auto& group : groups_) {
            memset(group.released, 0, sizeof group.released);
            memset(group.arrived, 0, sizeof group.arrived);
        }
        return;
    }
    blocks_ = num_blocks;
    aics_ = aics;
    aivs_ = aivs;
    units_.assign(static_cast<size_t>(num_blocks) * per_block, Unit{});
    map_.assign(units_.size(), {-1, -1, -1});
    groups_.clear();
    for (auto& [mode, members, targets] : cross_groups(num_blocks, aics, aivs)) {
        for (int32_t member : members) map_[member][mode] = static_cast<int32_t>(groups_.size());
        groups_.push_back({std::move(members), std::move(targets), {}, {}});
    }
}

CrossCore::Group* CrossCore::group_of(int32_t unit, int mode) {
    const int32_t index = map_[unit][mode];
    return index < 0 ? nullptr : &groups_[index];
}

bool CrossCore::set(int32_t unit, int mode, int id, const void* site, int32_t sub, std::vector<int32_t>& raised) {
    Group* group = group_of(unit, mode);
    if (!group) return true; // nobody listens: an AIC without AIVs, an AIV without its AIC
    const bool arrives = units_[unit].sets[mode][id] == group->released[id];
    const bool releases = group->arrived[id] + arrives >= group->members.size();
    if (releases)
        for (int32_t target : group->targets)
            if (units_[target].counter[id] == kCrossLimit) return false;
    units_[unit].sets[mode][id]++;
    group->arrived[id] += arrives;
    if (!releases) return true;
    group->released[id]++;
    group->arrived[id] = 0;
    for (int32_t member : group->members) group->arrived[id] += units_[member].sets[mode][id] > group->released[id];
    for (int32_t target : group->targets) {
        units_[target].counter[id]++;
        units_[target].site[id] = site;
        units_[target].sub[id] = sub;
        raised.push_back(target);
    }
    return true;
}

bool CrossCore::take(int32_t unit, int id) {
    auto& counter = units_[unit].counter[id];
    if (!counter) return false;
    counter--;
    return true;
}

int64_t CrossCore::left_over(int32_t unit) const {
    for (int id = 0; id < kCrossFlags; id++)
        if (units_[unit].counter[id]) return id;
    return -1;
}

std::vector<int32_t> CrossCore::missing(int32_t waiting, int id) const {
    // The mode of a wait is not known to hardware. The group that has begun to set this id is the one meant; failing that, the
    // other kind of core (mode 2), failing that, any group that could.
    std::vector<int32_t> best;
    bool begun = false, other_kind = false;
    for (const auto& group : groups_) {
        bool reaches = false;
        for (int32_t target : group.targets) reaches |= target == waiting;
        if (!reaches || begun) continue;
        const int mode = map_[group.members[0]][0] == &group - groups_.data()   ? 0
                         : map_[group.members[0]][1] == &group - groups_.data() ? 1
                                                                                : 2;
        std::vector<int32_t> absent;
        for (int32_t member : group.members)
            if (units_[member].sets[mode][id] <= group.released[id]) absent.push_back(member);
        begun = group.arrived[id] > 0;
        if (begun || best.empty() || (mode == 2 && !other_kind)) best = std::move(absent);
        other_kind |= mode == 2;
    }
    return best;
}

} // namespace aclimb
