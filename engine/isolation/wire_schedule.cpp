// SPDX-License-Identifier: Apache-2.0
// Schedules: rules go there, numbers come back.
#include "core/directed.h"
#include "core/interleaving.h"
#include "core/launch.h"
#include "core/priorities.h"
#include "isolation/watch.h"

namespace aclimb {
namespace {

enum class ScheduleKind : uint32_t { interleaving, priorities, directed };
constexpr uint32_t kMostTurns = 1 << 24;

template <class T> void put_all(Writer& to, const std::vector<T>& all) {
    to.put(static_cast<uint32_t>(all.size()));
    to.put_bytes(all.data(), all.size() * sizeof(T));
}

template <class T> std::vector<T> get_all(Reader& from) {
    std::vector<T> all(from.get_count(kMostTurns));
    for (T& each : all) each = from.get<T>();
    return all;
}

} // namespace

bool is_known(const Schedule& schedule) {
    return dynamic_cast<const Interleaving*>(&schedule) || dynamic_cast<const Priorities*>(&schedule);
}

void put_start(Writer& to, const Schedule& schedule) {
    if (const auto* interleaving = dynamic_cast<const Interleaving*>(&schedule)) {
        to.put(ScheduleKind::interleaving);
        to.put(interleaving->mode);
        to.put(interleaving->state());
    } else if (const auto* directed = dynamic_cast<const Directed*>(&schedule)) {
        to.put(ScheduleKind::directed);
        to.put(directed->first());
        to.put(directed->second());
    } else {
        const PriorityRules& rules = static_cast<const Priorities&>(schedule).rules();
        to.put(ScheduleKind::priorities);
        to.put(rules.kind);
        to.put(rules.pipe);
        put_all(to, rules.units);
        to.put(rules.seed);
        put_all(to, rules.changes);
    }
}

std::shared_ptr<Schedule> get_schedule(Reader& from) {
    switch (from.get_enum<ScheduleKind>(3)) {
    case ScheduleKind::interleaving: {
        const auto mode = from.get<Interleaving::Mode>();
        return std::make_shared<Interleaving>(mode, from.get<uint64_t>());
    }
    case ScheduleKind::directed: {
        const auto first = from.get<Instruction>();
        return std::make_shared<Directed>(first, from.get<Instruction>());
    }
    default: {
        PriorityRules rules;
        rules.kind = from.get<PriorityRules::Kind>();
        rules.pipe = from.get<Pipe>();
        rules.units = get_all<int32_t>(from);
        rules.seed = from.get<uint64_t>();
        rules.changes = get_all<uint64_t>(from);
        return std::make_shared<Priorities>(std::move(rules));
    }
    }
}

void put_seen(Writer& to, const Schedule& schedule) {
    if (const auto* interleaving = dynamic_cast<const Interleaving*>(&schedule)) return to.put(interleaving->state());
    const auto& priorities = static_cast<const Priorities&>(schedule);
    to.put(priorities.steps());
    to.put(priorities.fingerprint());
    to.put(static_cast<int32_t>(priorities.agents()));
    if (const auto* directed = dynamic_cast<const Directed*>(&schedule)) {
        to.put(directed->was_held());
        to.put(directed->has_happened());
        to.put(directed->reached(false));
        to.put(directed->reached(true));
    }
}

void get_seen(Reader& from, Schedule& schedule, const Launch& launch) {
    if (auto* interleaving = dynamic_cast<Interleaving*>(&schedule)) return interleaving->go_on_from(from.get<uint64_t>());
    auto& priorities = static_cast<Priorities&>(schedule);
    const auto steps = from.get<uint64_t>(), fingerprint = from.get<uint64_t>();
    priorities.adopt(steps, fingerprint, from.get_between<int32_t>(0, int64_t{launch.units} * kPipes));
    if (auto* directed = dynamic_cast<Directed*>(&schedule)) {
        const bool was_held = from.get<uint8_t>() != 0, happened = from.get<uint8_t>() != 0;
        const auto first = from.get<uint64_t>();
        directed->adopt(was_held, happened, first, from.get<uint64_t>());
    }
}

} // namespace aclimb
