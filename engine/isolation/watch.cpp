// SPDX-License-Identifier: Apache-2.0
#include "isolation/watch.h"

#include "check/launch_check.h"
#include "core/accesses.h"
#include "core/plan.h"
#include "core/scalar_log.h"
#include "core/schedule.h"
#include "isolation/wire_logs.h"
#include "timing/record.h"

namespace aclimb {
namespace {

enum class Kind : uint32_t { recording, check, schedule, accesses, scalar_log };
constexpr uint32_t kMostObservers = 64;

// The observer as what it is, for `use(kind, observer)`. False: of a kind that cannot look into another process.
template <class Use> bool visit(Observer& observer, Use use) {
    const auto as = [&]<class Is>(Kind kind) {
        auto* found = dynamic_cast<Is*>(&observer);
        if (found) use(kind, *found);
        return found != nullptr;
    };
    if (auto* schedule = dynamic_cast<Schedule*>(&observer)) {
        if (!is_known(*schedule)) return false;
        use(Kind::schedule, *schedule);
        return true;
    }
    return as.template operator()<timing::Recording>(Kind::recording) || as.template operator()<check::LaunchCheck>(Kind::check) ||
           as.template operator()<Accesses>(Kind::accesses) || as.template operator()<ScalarLog>(Kind::scalar_log);
}

struct PutStart {
    Writer& to;
    const Launch& launch;
    void operator()(Kind kind, const auto& observer) const {
        to.put(static_cast<uint32_t>(kind));
        start(observer);
    }
    void start(const timing::Recording& recording) const { put_start(to, recording); }
    void start(const check::LaunchCheck& check) const { put_start(to, check, launch); }
    void start(const Schedule& schedule) const { put_start(to, schedule); }
    void start(const Observer&) const {} // a log begins empty
};

struct PutSeen {
    Writer& to;
    const Images& images;
    void operator()(Kind, timing::Recording& recording) const { put_seen(to, recording, images); }
    void operator()(Kind, check::LaunchCheck& check) const { put_seen(to, check, images); }
    void operator()(Kind, Schedule& schedule) const { put_seen(to, schedule); }
    void operator()(Kind, auto& log) const { put_log(to, log, images); }
};

struct GetSeen {
    Reader& from;
    const Launch& launch;
    const Images& images;
    void operator()(Kind, timing::Recording& recording) const { get_seen(from, recording, launch, images); }
    void operator()(Kind, check::LaunchCheck& check) const { get_seen(from, check, launch, images); }
    void operator()(Kind, Schedule& schedule) const { get_seen(from, schedule, launch); }
    void operator()(Kind, auto& log) const { get_log(from, log, launch, images); }
};

} // namespace

std::string why_not_watched(const Launch& launch) {
    for (const auto& each : launch.observers)
        if (!visit(*each, [](Kind, auto&) {})) return "something looks at the launch that cannot look into another process";
    return launch.observers.size() > kMostObservers ? "too many profiles and checks are open" : "";
}

void put_watch(Writer& to, const Launch& launch) {
    to.put(static_cast<uint32_t>(launch.observers.size()));
    for (const auto& each : launch.observers) visit(*each, PutStart{to, launch});
}

void get_watch(Reader& from, Launch& launch, Watch& watch, uint64_t most_bytes) {
    for (uint32_t i = from.get_count(kMostObservers); i > 0 && !from.bad; i--) switch (from.get_enum<Kind>(5)) {
        case Kind::recording: launch.observe(get_recording(from, launch, most_bytes)); break;
        case Kind::check: launch.observe(get_check(from, launch, watch)); break;
        case Kind::schedule: launch.follow(get_schedule(from)); break;
        case Kind::accesses: launch.observe(std::make_shared<Accesses>()); break;
        case Kind::scalar_log: launch.observe(std::make_shared<ScalarLog>()); break;
        }
}

void put_seen(Writer& to, const Launch& launch, const Images& images) {
    for (const auto& each : launch.observers) visit(*each, PutSeen{to, images}); // those of a fused kernel's rules are not among them
}

bool get_seen(Reader& from, Launch& launch, const Images& images) {
    for (const auto& each : launch.observers) visit(*each, GetSeen{from, launch, images});
    return !from.bad;
}

} // namespace aclimb
