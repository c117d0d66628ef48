// SPDX-License-Identifier: Apache-2.0
#include "timing/cross_model.h"

#include <algorithm>
#include <cmath>

#include "core/cross_core.h"

namespace aclimb::timing {

void CrossModel::reset(int64_t blocks, int aics, int aivs) {
    const int per_block = aics + aivs;
    aics_ = aics;
    aivs_ = aivs;
    groups_.clear();
    units_.assign(static_cast<size_t>(blocks * per_block), Unit{});
    rounds_.clear();
    boxes_.clear();
    for (auto& [mode, members, targets] : cross_groups(blocks, aics, aivs)) {
        for (size_t i = 0; i < members.size(); i++) {
            units_[members[i]].group[mode] = static_cast<int32_t>(groups_.size());
            units_[members[i]].place[mode] = static_cast<int32_t>(i);
        }
        groups_.push_back({std::move(members), std::move(targets), {}, {}, {}});
    }
}

void CrossModel::set(int32_t unit, int mode, int id, Time when, uint32_t site, bool sync_all, const Parameters& p,
                     std::vector<int32_t>& raised) {
    const int32_t index = units_[unit].group[mode];
    if (index < 0) return;
    Group& group = groups_[index];
    group.sets[id].resize(group.members.size());
    const uint32_t round = group.sets[id][units_[unit].place[mode]]++;
    if (group.arrived[id].size() <= round) {
        group.arrived[id].resize(round + 1);
        group.latest[id].resize(round + 1);
    }
    group.latest[id][round] = std::max(group.latest[id][round], when);
    if (++group.arrived[id][round] < group.members.size()) return;
    const double meeting = sync_all && mode == 0
                               ? p.xcore_flag + p.sync_all_log * std::log2(static_cast<double>(std::max<size_t>(2, group.members.size())))
                               : 0;
    const Time released = group.latest[id][round] + p.cycles(p.xcore_flag + meeting);
    for (const int32_t target : group.targets) {
        units_[target].released[id].push_back({released, site, is_aic(unit)});
        raised.push_back(target);
    }
}

bool CrossModel::take(int32_t unit, int id, Time& when, uint32_t& site, bool& by_aic) {
    Unit& self = units_[unit];
    if (self.taken[id] == self.released[id].size()) return false;
    const Release& release = self.released[id][self.taken[id]++];
    when = release.when;
    site = release.site;
    by_aic = release.by_aic;
    return true;
}

void CrossModel::post(int32_t unit, uint64_t box, Time when, uint32_t site, std::vector<int32_t>& raised) {
    Box& to = boxes_[box];
    to.sent.push_back({when, site, is_aic(unit)});
    raised.insert(raised.end(), to.waiting.begin(), to.waiting.end());
    to.waiting.clear();
}

bool CrossModel::take_post(int32_t unit, uint64_t box, Time& when, uint32_t& site, bool& by_aic) {
    Box& from = boxes_[box];
    if (from.taken == from.sent.size()) {
        if (!std::count(from.waiting.begin(), from.waiting.end(), unit)) from.waiting.push_back(unit);
        return false;
    }
    const Release& sent = from.sent[from.taken++];
    when = sent.when;
    site = sent.site;
    by_aic = sent.by_aic;
    return true;
}

void CrossModel::arrive(uint64_t place, uint32_t round, Time when, std::vector<int32_t>& raised) {
    Round& at = rounds_[{place, round}];
    at.arrived++;
    at.last = std::max(at.last, when);
    raised.insert(raised.end(), at.waiting.begin(), at.waiting.end());
}

bool CrossModel::waits(int32_t unit, uint64_t place, uint32_t round) const {
    const auto found = rounds_.find({place, round});
    return found != rounds_.end() && std::count(found->second.waiting.begin(), found->second.waiting.end(), unit);
}

bool CrossModel::pass(int32_t unit, uint64_t place, uint32_t round, uint32_t arrivals, Time& last) {
    Round& at = rounds_[{place, round}];
    last = at.last;
    if (at.arrived >= arrivals) return true;
    if (!std::count(at.waiting.begin(), at.waiting.end(), unit)) at.waiting.push_back(unit);
    return false;
}

} // namespace aclimb::timing
