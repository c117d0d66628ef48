// SPDX-License-Identifier: Apache-2.0
#include "check/cross.h"

#include <set>
#include <utility>

namespace aclimb::check {
namespace {

bool covers(const World& large, const World& small) {
    if (large.chunks.size() < small.chunks.size()) return false;
    for (size_t i = 0; i < small.chunks.size(); i++) {
        const Chunk *a = large.chunks[i], *b = small.chunks[i];
        if (!b || a == b) continue;
        if (!a) return false;
        for (size_t unit = 0; unit < kChunkUnits; unit++)
            for (size_t agent = 0; agent < kAgents; agent++)
                if ((*a)[unit].ended[agent] < (*b)[unit].ended[agent]) return false;
    }
    return true;
}

} // namespace

CrossOrder::CrossOrder(int32_t units, std::vector<CrossGroup> groups)
    : member_of_(static_cast<size_t>(units)), tokens_(static_cast<size_t>(units)) {
    for (auto& each : groups) {
        for (size_t place = 0; place < each.members.size(); place++)
            member_of_[static_cast<size_t>(each.members[place])].emplace_back(groups_.size(), place);
        groups_.push_back({std::move(each), {}, {}});
    }
}

const World* CrossOrder::world_of(int32_t unit, const Start& said) {
    Worlds::Sum sum(worlds_);
    sum.add(unit, said);
    return sum.finish();
}

// Most often what is heard includes all that the core knew of the others, and is taken as it is.
void CrossOrder::hear(int32_t unit, CoreOrder& core, const World* world) {
    Start heard;
    const World* before = core.control().world;
    if (!before || (world->serial > before->serial && covers(*world, *before))) {
        heard.world = world;
    } else {
        Worlds::Sum sum(worlds_);
        sum.add(before);
        sum.add(world);
        heard.world = sum.finish();
    }
    if (const Clock* own = world->of(unit)) heard.own = *own; // it comes back to the core itself
    core.hear(heard);
}

CrossOrder::Mixed CrossOrder::named(const Last& last, size_t index, const Spot& spot) const {
    const CrossGroup &before = groups_[last.group].who, &now = groups_[index].who;
    const bool first = std::pair(before.mode, before.members[0]) < std::pair(now.mode, now.members[0]);
    return first ? Mixed{Mixed::groups, before.members[0], last.spot} : Mixed{Mixed::groups, now.members[0], spot};
}

// A token of another group is in order with this one where all that raised this one know of the wait that took it.
CrossOrder::Mixed CrossOrder::release(Group& group, size_t index, int id) {
    auto& sets = group.sets[id];
    if (std::any_of(sets.begin(), sets.end(), [](const auto& each) { return each.empty(); })) return {};
    const Spot spot = sets[0].front().spot;
    Worlds::Sum sum(worlds_);
    for (size_t i = 0; i < sets.size(); i++) {
        sum.add(group.who.members[i], sets[i].front().said);
        sets[i].pop_front();
    }
    const World* world = sum.finish();
    Mixed met;
    std::set<size_t> others;
    for (int32_t target : group.who.targets) {
        tokens_[static_cast<size_t>(target)][static_cast<size_t>(id)].push_back({world, index});
        const auto [at, first] = last_.try_emplace({target, id}, Last{index, spot});
        if (first) continue;
        const Last last = std::exchange(at->second, Last{index, spot});
        if (last.group == index) continue;
        const Clock* known = world->of(target);
        if (last.taken && known && (*known)[Agent::waited] >= last.taken) continue;
        others.insert(last.group);
        met = named(last, index, spot);
    }
    met.times = others.size();
    return met;
}

CrossOrder::Mixed CrossOrder::set(int32_t unit, int mode, int id, const Set& set) {
    std::lock_guard lock(mutex_);
    Mixed mixed;
    for (const auto& [index, place] : member_of_[static_cast<size_t>(unit)]) {
        Group& group = groups_[index];
        if (group.who.mode != mode) continue;
        auto& sets = group.sets[id];
        sets.resize(group.who.members.size());
        auto& mine = sets[place];
        const std::pair now(agent_of(set.pipe), set.said.own[agent_of(set.pipe)]);
        const auto [pipe, count] = std::exchange(group.said.try_emplace({id, place}, now).first->second, now);
        if (pipe != now.first && set.said.own[pipe] < std::max(count, 1u)) mixed = {Mixed::pipes, unit, set.spot};
        mine.push_back(set);
        if (const Mixed met = release(group, index, id); met.kind != Mixed::no) mixed = met;
    }
    return mixed;
}

void CrossOrder::wait(int32_t unit, int id, CoreOrder& core) {
    std::lock_guard lock(mutex_);
    auto& waiting = tokens_[static_cast<size_t>(unit)][static_cast<size_t>(id)];
    if (waiting.empty()) return; // a launch as lax as hardware lets it pass
    const uint32_t taken = core.control().own[Agent::waited] = core.count(Agent::waited);
    hear(unit, core, waiting.front().world);
    waiting.pop_front();
    if (waiting.empty()) last_.at({unit, id}).taken = taken;
}

bool CrossOrder::has_token(int32_t unit, int id) {
    std::lock_guard lock(mutex_);
    return !tokens_[static_cast<size_t>(unit)][static_cast<size_t>(id)].empty();
}

bool CrossOrder::has_post(uint64_t box) {
    std::lock_guard lock(mutex_);
    return !boxes_[box].empty();
}

void CrossOrder::post(uint64_t box, int32_t unit, const Start& said) {
    std::lock_guard lock(mutex_);
    boxes_[box].push_back(world_of(unit, said));
}

bool CrossOrder::take(uint64_t box, int32_t unit, CoreOrder& core) {
    std::lock_guard lock(mutex_);
    auto& posted = boxes_[box];
    if (posted.empty()) return false;
    hear(unit, core, posted.front());
    posted.pop_front();
    return true;
}

void CrossOrder::arrive(uint64_t place, uint64_t round, int32_t unit, const Start& said) {
    std::lock_guard lock(mutex_);
    Round& at = rounds_[{place, round}];
    Worlds::Sum sum(worlds_);
    sum.add(at.all);
    sum.add(unit, said);
    at.all = sum.finish();
    at.arrivals++;
}

void CrossOrder::pass(uint64_t place, uint64_t round, int32_t unit, CoreOrder& core) {
    std::lock_guard lock(mutex_);
    const auto found = rounds_.find({place, round});
    if (found != rounds_.end()) hear(unit, core, found->second.all);
}

uint32_t CrossOrder::arrivals(uint64_t place, uint64_t round) {
    std::lock_guard lock(mutex_);
    const auto found = rounds_.find({place, round});
    return found == rounds_.end() ? 0 : found->second.arrivals;
}

void CrossOrder::publish(uint64_t address, uint64_t value, int32_t unit, const Start& said) {
    std::lock_guard lock(mutex_);
    words_[address] = {value, unit, said};
}

bool CrossOrder::poll(uint64_t address, uint64_t value, int32_t unit, CoreOrder& core) {
    std::lock_guard lock(mutex_);
    const auto found = words_.find(address);
    if (found == words_.end() || found->second.value != value || found->second.unit == unit) return false;
    hear(unit, core, world_of(found->second.unit, found->second.said));
    return true;
}

uint64_t CrossOrder::bytes() {
    std::lock_guard lock(mutex_);
    return worlds_.bytes();
}

} // namespace aclimb::check
