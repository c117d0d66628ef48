// SPDX-License-Identifier: Apache-2.0
#include "check/order.h"

namespace aclimb::check {
namespace {

uint32_t flag_key(Pipe src, Pipe dst, int id) {
    return static_cast<uint32_t>(src) << 16 | static_cast<uint32_t>(dst) << 8 | static_cast<uint32_t>(id);
}

} // namespace

// The scalar unit has no queue: what it does, it does when it comes to it.
void CoreOrder::issued(Pipe pipe) {
    if (pipe == Pipe::S || pipe == Pipe::ALL) return;
    auto& stamps = stamps_[static_cast<int>(pipe)];
    const uint32_t scalars = number_[Agent::S];
    if (!stamps.empty() && stamps.back().touched == touched_ && stamps.back().scalars == scalars) stamps.back().records++;
    else stamps.push_back({control_, touched_, scalars, 1});
}

Start CoreOrder::take_stamp(Pipe pipe) {
    scalars_before_ = number_[Agent::S];
    if (pipe == Pipe::S || pipe == Pipe::ALL) return control_;
    auto& stamps = stamps_[static_cast<int>(pipe)];
    if (stamps.empty()) return control_; // a record that nobody announced: it runs when it is issued
    const Start start = stamps.front().start;
    scalars_before_ = stamps.front().scalars;
    if (--stamps.front().records == 0) stamps.pop_front();
    return start;
}

Start& CoreOrder::begin(Agent agent) {
    Start& start = start_[static_cast<size_t>(agent)];
    start.join(take_stamp(static_cast<Pipe>(agent)));
    if (agent == Agent::S) start.own[Agent::S] = number_[Agent::S]; // scalar accesses are in order by themselves
    return start;
}

Start CoreOrder::signal(Pipe pipe) {
    Start said = begin(agent_of(pipe));
    said.own[agent_of(pipe)] = number_[agent_of(pipe)];
    return said;
}

void CoreOrder::set_flag(Pipe src, Pipe dst, int id) { sets_.push_back({flag_key(src, dst, id), signal(src)}); }

bool CoreOrder::wait_flag(Pipe src, Pipe dst, int id) {
    Start& start = begin(agent_of(dst));
    const uint32_t key = flag_key(src, dst, id);
    const auto set = std::find_if(sets_.begin(), sets_.end(), [&](const Set& each) { return each.key == key; });
    if (set == sets_.end()) return false;
    start.join(set->said);
    if (dst == Pipe::S) hear(set->said);
    sets_.erase(set);
    return true;
}

bool CoreOrder::is_set(Pipe src, Pipe dst, int id) const {
    const uint32_t key = flag_key(src, dst, id);
    return src == dst || std::any_of(sets_.begin(), sets_.end(), [&](const Set& each) { return each.key == key; });
}

void CoreOrder::barrier(Pipe pipe) {
    const Agent agent = agent_of(pipe);
    begin(agent).own[agent] = number_[agent];
}

void CoreOrder::barrier_all() {
    for (int pipe = 0; pipe < kPipes; pipe++) {
        control_.join(start_[pipe]);
        control_.own.ended[static_cast<size_t>(pipe)] = number_.ended[static_cast<size_t>(pipe)];
    }
    touched_++;
}

} // namespace aclimb::check
