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
    meetings_.clear();
    words_.clear();
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

void CrossModel::post(int32_t unit, uint32_t peer, Time when, uint32_t site, std::vector<int32_t>& raised) {
    const int32_t to = peer_of(unit, peer);
    boxes_[{to, unit}].sent.push_back({when, site, is_aic(unit)});
    raised.push_back(to);
}

bool CrossModel::take_post(int32_t unit, uint32_t peer, Time& when, uint32_t& site, bool& by_aic) {
    Box& box = boxes_[{unit, peer_of(unit, peer)}];
    if (box.taken == box.sent.size()) return false;
    const Release& sent = box.sent[box.taken++];
    when = sent.when;
    site = sent.site;
    by_aic = sent.by_aic;
    return true;
}

bool CrossModel::meet(int32_t unit, uint64_t addr, uint32_t cores, Time when, Time& all, std::vector<int32_t>& raised) {
    Meeting& meeting = meetings_[addr];
    const bool asked_before = std::count(meeting.waiting.begin(), meeting.waiting.end(), unit) > 0;
    if (!asked_before) {
        const uint32_t round = meeting.rounds[unit]++;
        if (meeting.arrived.size() <= round) {
            meeting.arrived.resize(round + 1);
            meeting.latest.resize(round + 1);
        }
        meeting.arrived[round]++;
        meeting.latest[round] = std::max(meeting.latest[round], when);
    }
    const uint32_t round = meeting.rounds[unit] - 1;
    if (meeting.arrived[round] < cores) {
        if (!asked_before) meeting.waiting.push_back(unit);
        return false;
    }
    all = meeting.latest[round];
    std::erase(meeting.waiting, unit);
    if (!asked_before) raised.insert(raised.end(), meeting.waiting.begin(), meeting.waiting.end());
    return true;
}

bool CrossModel::ib_set(int32_t unit, uint64_t addr, bool waits, Time when, Time latency, Time& free, std::vector<int32_t>& raised) {
    Word& word = words_[addr];
    if (waits && word.taken < word.sets.size()) {
        if (!std::count(word.waiting.begin(), word.waiting.end(), unit)) word.waiting.push_back(unit);
        return false;
    }
    free = word.emptied;
    word.sets.push_back(std::max(when, free) + latency);
    raised.insert(raised.end(), word.waiting.begin(), word.waiting.end());
    word.waiting.clear();
    return true;
}

bool CrossModel::ib_wait(int32_t unit, uint64_t addr, Time issued, Time latency, Time& when, std::vector<int32_t>& raised) {
    Word& word = words_[addr];
    if (word.taken == word.sets.size()) {
        if (!std::count(word.waiting.begin(), word.waiting.end(), unit)) word.waiting.push_back(unit);
        return false;
    }
    when = word.sets[word.taken++] + latency;
    word.emptied = std::max(when, issued);
    raised.insert(raised.end(), word.waiting.begin(), word.waiting.end());
    word.waiting.clear();
    return true;
}

} // namespace aclimb::timing
