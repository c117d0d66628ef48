// SPDX-License-Identifier: Apache-2.0
#include "check/taping.h"

#include "aclimb/op.h"
#include "core/launch.h"
#include "core/plan.h"

namespace aclimb::check {
namespace {

bool has_queue(Pipe pipe) { return pipe != Pipe::S && pipe != Pipe::ALL; }

// What the plan of a SuperKernel puts between its members.
bool is_of_plan(const Head& head) {
    return (head.op == Op::cross_set || head.op == Op::cross_wait) && reinterpret_cast<const CrossFlag&>(head).sync_all == 2;
}

} // namespace

Taping::Taping(const Launch& launch)
    : tape(launch.num_blocks, aics_per_block(launch.kernel->type), aivs_per_block(launch.kernel->type)),
      cores_(static_cast<size_t>(launch.units)) {}

void Taping::issued(const Core& core, const Head& head, const Spot& spot) {
    Writing& writing = cores_[static_cast<size_t>(core.unit)];
    auto& events = tape.core(core.unit).events;
    const auto index = static_cast<uint32_t>(events.size());
    TapeEvent& made = events.emplace_back();
    made.pipe = head.pipe;
    made.spot = spot;
    made.member = spot.sub;
    if (spot.sub >= 0) writing.member = spot.sub;
    made.early_set = head.op == Op::next_task_start;
    made.early_wait = head.op == Op::pre_task_end || (is_of_plan(head) && writing.in_wait);
    if (spot.sub < 0 && is_of_plan(head)) {
        made.early_set = head.op == Op::cross_set;
        made.early_wait = head.op == Op::cross_wait;
        made.member = writing.member;
    }
    if (head.op == Op::pre_task_end) writing.in_wait++;
    if (has_queue(head.pipe)) writing.waiting[static_cast<int>(head.pipe)].push_back(index);
    else writing.scalar.push_back(index);
}

TapeEvent& Taping::event(const Core& core, const Head& head, bool done) {
    Writing& writing = cores_[static_cast<size_t>(core.unit)];
    auto& events = tape.core(core.unit).events;
    if (done && head.op == Op::pre_task_end) writing.in_wait--;
    if (!has_queue(head.pipe)) {
        const uint32_t index = writing.scalar.back();
        if (done) writing.scalar.pop_back();
        return events[index];
    }
    auto& waiting = writing.waiting[static_cast<int>(head.pipe)];
    const uint32_t index = waiting.front();
    if (done) waiting.pop_front();
    return events[index];
}

void Taping::touch(const Core& core, TapeEvent& event, const Touch* first, size_t count) {
    auto& touches = tape.core(core.unit).touches;
    event.first_touch = static_cast<uint32_t>(touches.size());
    event.touches = static_cast<uint32_t>(count);
    touches.insert(touches.end(), first, first + count);
}

void Taping::settle() {
    for (int32_t unit = 0; unit < static_cast<int32_t>(cores_.size()); unit++) {
        int32_t next = -1;
        auto& events = tape.core(unit).events;
        for (size_t i = events.size(); i-- > 0;) {
            if (events[i].spot.sub >= 0) next = events[i].spot.sub;
            else if (events[i].early_wait) events[i].member = next;
        }
    }
}

} // namespace aclimb::check
