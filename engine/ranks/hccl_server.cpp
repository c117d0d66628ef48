// SPDX-License-Identifier: Apache-2.0
#include "ranks/hccl_server.h"

#include <algorithm>

namespace aclimb {

std::string task_name(const Collective& task, int32_t handle) { return std::string(name_of(task.kind)) + " " + std::to_string(handle); }

uint64_t HcclServer::enter(int32_t rank, const std::string& kernel) {
    std::lock_guard lock(mutex_);
    uint64_t& last = last_[static_cast<size_t>(rank)];
    const auto is_closed = [&](uint64_t number) {
        const auto it = meetings_.find(number);
        return it != meetings_.end() && it->second.closed;
    };
    while (is_closed(++last)) {}
    const uint64_t slowest = *std::min_element(last_.begin(), last_.end()); // nobody enters those before any more
    std::erase_if(meetings_, [&](const auto& each) { return each.first < slowest && each.second.closed; });
    Meeting& meeting = meetings_[last];
    meeting.sides.resize(static_cast<size_t>(ranks_));
    Side& side = meeting.sides[static_cast<size_t>(rank)];
    side.here = true;
    side.kernel = kernel;
    return last;
}

void HcclServer::leave(uint64_t number, int32_t rank, bool failed) {
    std::lock_guard lock(mutex_);
    const auto it = meetings_.find(number);
    if (it == meetings_.end()) return;
    Meeting& meeting = it->second;
    Side& side = meeting.sides[static_cast<size_t>(rank)];
    release(side);
    side.left = true;
    meeting.closed |= failed;
    const auto& sides = meeting.sides;
    if (std::all_of(sides.begin(), sides.end(), [](const Side& each) { return each.left; })) meetings_.erase(it);
}

bool HcclServer::pin(Side& side, const HcclRows& first) {
    if (!first.length) return true; // AlltoAllV: nothing to or from anybody
    GlobalMemory* memory = GlobalMemory::owner(first.addr);
    if (!memory || !memory->pin(first.addr, 1)) return false; // the whole allocation
    side.pins.push_back({memory, first.addr});
    return true;
}

void HcclServer::release(Side& side) {
    for (const Pin& each : side.pins) each.memory->unpin(each.addr);
    side.pins.clear();
}

std::string HcclServer::prepare(uint64_t number, int32_t rank, int32_t handle, Speaker by, Collective task) {
    std::lock_guard lock(mutex_);
    Side& side = at(number).sides[static_cast<size_t>(rank)];
    if (side.finalized) return "a task is prepared behind Finalize, when the server has gone";
    if (side.speaker.unit < 0) side.speaker = by;
    if (side.speaker.unit != by.unit) return "two cores prepare tasks: give Hccl an HcclServerConfig, or call it on one kind of core";
    if (static_cast<size_t>(handle) != side.tasks.size()) return "a second Hccl object uses the same context";
    if (!pin(side, task.send_rows()) || !pin(side, task.recv_rows())) return "a buffer of the task is no device memory, or was freed";
    side.tasks.push_back(std::move(task));
    return "";
}

std::string HcclServer::commit(uint64_t number, int32_t rank, int32_t handle) {
    std::lock_guard lock(mutex_);
    Side& side = at(number).sides[static_cast<size_t>(rank)];
    if (handle < 0 || static_cast<size_t>(handle) >= side.tasks.size())
        return "Commit of handle " + std::to_string(handle) + ", which no task has";
    Collective& task = side.tasks[static_cast<size_t>(handle)];
    if (task.committed == task.repeat)
        return task_name(task, handle) + " is committed more often than its " + std::to_string(task.repeat) + " rounds";
    task.committed++;
    return "";
}

void HcclServer::finalize(uint64_t number, int32_t rank) {
    std::lock_guard lock(mutex_);
    at(number).sides[static_cast<size_t>(rank)].finalized = true;
}

bool HcclServer::has_told(const Side& side, const Meeting& meeting) {
    return side.tasks.size() > meeting.task && side.tasks[meeting.task].committed > meeting.round;
}

void HcclServer::move_on(Meeting& meeting) {
    const auto& sides = meeting.sides;
    while (meeting.broken.empty()) {
        for (const Side& each : sides)
            if (!has_told(each, meeting)) return;
        std::vector<const Collective*> all;
        for (const Side& each : sides) all.push_back(&each.tasks[meeting.task]);
        for (size_t one = 0; one < all.size() && meeting.broken.empty(); one++)
            for (size_t other = 0; other < all.size() && meeting.broken.empty(); other++)
                meeting.broken = difference(*all[one], static_cast<int32_t>(one), *all[other], static_cast<int32_t>(other));
        if (!meeting.broken.empty()) return;
        move_round(all, meeting.round);
        if (++meeting.round < all[0]->repeat) continue;
        meeting.round = 0;
        meeting.task++;
    }
}

std::string HcclServer::lacks(const Side& side, const Meeting& meeting) {
    if (!side.here) return "no kernel with Hccl was launched";
    const std::string verb = side.left ? " has ended and did not " : " did not ";
    if (side.tasks.size() <= meeting.task) return side.kernel + verb + "prepare task " + std::to_string(meeting.task);
    const Collective& task = side.tasks[meeting.task];
    const std::string round = task.repeat == 1 ? "" : "round " + std::to_string(meeting.round + 1) + " of ";
    return side.kernel + verb + "commit " + round + task_name(task, static_cast<int32_t>(meeting.task));
}

HcclServer::Answer HcclServer::ask(uint64_t number, int32_t rank, int32_t handle) {
    std::lock_guard lock(mutex_);
    Meeting& meeting = at(number);
    move_on(meeting);
    Answer answer;
    const Side& own = meeting.sides[static_cast<size_t>(rank)];
    const auto index = static_cast<size_t>(handle);
    answer.name = "task " + std::to_string(handle);
    if (index < own.tasks.size()) {
        answer.committed = own.tasks[index].committed;
        answer.name = task_name(own.tasks[index], handle);
    }
    answer.rounds = index < meeting.task ? own.tasks[index].repeat : index == meeting.task ? meeting.round : 0;
    answer.done = index < meeting.task;
    answer.broken = meeting.broken;
    for (int32_t i = 0; i < ranks_ && answer.never.empty(); i++) {
        const Side& side = meeting.sides[static_cast<size_t>(i)];
        if (side.left && !has_told(side, meeting)) answer.never = "rank " + std::to_string(i) + ": " + lacks(side, meeting);
    }
    return answer;
}

std::string HcclServer::unfinished(uint64_t number, int32_t rank) {
    std::lock_guard lock(mutex_);
    const Side& side = at(number).sides[static_cast<size_t>(rank)];
    for (size_t i = 0; i < side.tasks.size(); i++) {
        const Collective& task = side.tasks[i];
        if (task.committed == task.repeat) continue;
        const std::string round = "round " + std::to_string(task.committed + 1) + " of " + std::to_string(task.repeat) + " of ";
        return (task.repeat == 1 ? "" : round) + task_name(task, static_cast<int32_t>(i));
    }
    return "";
}

HcclServer::Speaker HcclServer::left_open(uint64_t number, int32_t rank) {
    std::lock_guard lock(mutex_);
    const Side& side = at(number).sides[static_cast<size_t>(rank)];
    return side.finalized ? Speaker{} : side.speaker;
}

std::vector<std::string> HcclServer::missing(uint64_t number, int32_t rank) {
    std::lock_guard lock(mutex_);
    const Meeting& meeting = at(number);
    std::vector<std::string> lines;
    for (int32_t i = 0; i < ranks_; i++) {
        const Side& side = meeting.sides[static_cast<size_t>(i)];
        if (i != rank && !has_told(side, meeting)) lines.push_back("rank " + std::to_string(i) + ": " + lacks(side, meeting));
    }
    return lines;
}

} // namespace aclimb
