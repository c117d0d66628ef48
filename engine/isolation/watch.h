// SPDX-License-Identifier: Apache-2.0
// Observers of a launch that runs in another process. The host describes each one that it has (a profile's recording, a checker, a
// schedule, a log); the device process makes the same anew, lets it look, and sends back what it saw, for the host's own one. Whatever asks
// for another run, and whatever is computed from several launches, stays with the host.
//
// What comes back is the word of a process that a stranger's code runs in: numbers are looked at before they are used as places, sizes or
// counts, and mean nothing else than what that kernel says about itself.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/launch.h"
#include "isolation/wire.h"

namespace aclimb {

namespace check {
class GlobalValues;
class LaunchCheck;
} // namespace check
namespace timing {
struct Recording;
}
class Accesses;
class Directed;
class Interleaving;
class Priorities;
class ScalarLog;

std::string why_not_watched(const Launch& launch); // "": all of its observers can look

// Host to device process: what each observer starts with, in their order.
void put_watch(Writer& to, const Launch& launch);
struct Watch { // in the device process, as long as the launch
    std::vector<std::shared_ptr<check::GlobalValues>> values;
};
void get_watch(Reader& from, Launch& launch, Watch& watch, uint64_t most_bytes); // the launch is prepared; most_bytes: of a recording

// Device process to host: what each saw. False: it makes no sense.
void put_seen(Writer& to, const Launch& launch, const Images& images);
bool get_seen(Reader& from, Launch& launch, const Images& images);

// By kind. Of `start` the first is the host's, the second the device process's; of `seen` the other way round.
void put_start(Writer& to, const timing::Recording& recording);
std::shared_ptr<timing::Recording> get_recording(Reader& from, const Launch& launch, uint64_t most_bytes);
void put_seen(Writer& to, const timing::Recording& recording, const Images& images);
void get_seen(Reader& from, timing::Recording& recording, const Launch& launch, const Images& images);

void put_start(Writer& to, const check::LaunchCheck& check, const Launch& launch);
std::shared_ptr<check::LaunchCheck> get_check(Reader& from, Launch& launch, Watch& watch);
void put_seen(Writer& to, const check::LaunchCheck& check, const Images& images);
void get_seen(Reader& from, check::LaunchCheck& check, const Launch& launch, const Images& images);

void put_start(Writer& to, const Schedule& schedule);
std::shared_ptr<Schedule> get_schedule(Reader& from);
void put_seen(Writer& to, const Schedule& schedule);
void get_seen(Reader& from, Schedule& schedule, const Launch& launch);
bool is_known(const Schedule& schedule);

} // namespace aclimb
