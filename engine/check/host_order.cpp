// SPDX-License-Identifier: Apache-2.0
#include "check/host_order.h"

#include <algorithm>
#include <optional>

namespace aclimb::check {

void join_boxes(std::vector<Box>& boxes) {
    std::sort(boxes.begin(), boxes.end(),
              [](const Box& a, const Box& b) { return std::pair(a.writes, a.begin) < std::pair(b.writes, b.begin); });
    size_t kept = 0;
    for (const Box& each : boxes)
        if (kept && boxes[kept - 1].writes == each.writes && each.begin <= boxes[kept - 1].end)
            boxes[kept - 1].end = std::max(boxes[kept - 1].end, each.end);
        else boxes[kept++] = each;
    boxes.resize(kept);
}

void HostOrder::join(Known& to, const Known& from) {
    for (const auto& [agent, number] : from) to[agent] = std::max(to[agent], number);
}

// Tasks of others that are not known to have ended.
void HostOrder::pair_up(size_t number, const Known& known) {
    for (const auto& [agent, line] : lines_) {
        if (agent == tasks_[number].agent) continue;
        const auto found = known.find(agent);
        const uint64_t ended = found == known.end() ? 0 : found->second;
        for (size_t i = line.all.size(); i-- > ended && unordered_.size() < kMostPairs;) unordered_.emplace_back(line.all[i], number);
    }
}

size_t HostOrder::add(uint64_t agent, HostTask task) {
    const size_t number = tasks_.size();
    Line& line = lines_[agent];
    task.agent = agent;
    task.number = ++line.tasks;
    line.all.push_back(number);
    tasks_.push_back(std::move(task));
    pair_up(number, line.known);
    line.known[agent] = line.tasks;
    return number;
}

size_t HostOrder::task(uint64_t stream, uint64_t number, HostTask task) {
    join(lines_[stream].known, thread(number));
    return add(stream, std::move(task));
}

size_t HostOrder::by_host(uint64_t number, HostTask task) {
    task.by_host = true;
    return add(kHost | number, std::move(task));
}

void HostOrder::record(uint64_t stream, uint64_t number, const void* event, uint64_t ticket) {
    join(lines_[stream].known, thread(number));
    events_[{event, ticket}] = lines_[stream].known;
}

void HostOrder::await(uint64_t stream, uint64_t number, const void* event, uint64_t ticket) {
    join(lines_[stream].known, thread(number));
    if (const auto found = events_.find({event, ticket}); found != events_.end()) join(lines_[stream].known, found->second);
}

void HostOrder::host_waited(uint64_t number, uint64_t stream) { join(thread(number), lines_[stream].known); }

void HostOrder::host_waited(uint64_t number, const void* event, uint64_t ticket) {
    if (const auto found = events_.find({event, ticket}); found != events_.end()) join(thread(number), found->second);
}

void HostOrder::host_waited_for_all(uint64_t number) {
    Known all;
    for (const auto& [agent, line] : lines_)
        if (!(agent & kHost)) join(all, line.known);
    join(thread(number), all);
}

namespace {

std::optional<HostConflict> meet(const HostTask& x, const HostTask& y) {
    for (const Box& a : x.boxes)
        for (const Box& b : y.boxes)
            if ((a.writes || b.writes) && a.begin < b.end && b.begin < a.end)
                return HostConflict{0, 0, std::max(a.begin, b.begin), std::min(a.end, b.end), a.writes && b.writes};
    return std::nullopt;
}

} // namespace

std::vector<HostConflict> HostOrder::conflicts() const {
    std::vector<HostConflict> found;
    for (const auto& [first, second] : unordered_)
        if (auto conflict = meet(tasks_[first], tasks_[second])) {
            conflict->first = first;
            conflict->second = second;
            found.push_back(*conflict);
        }
    return found;
}

} // namespace aclimb::check
