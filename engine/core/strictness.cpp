// SPDX-License-Identifier: Apache-2.0
#include "core/strictness.h"

#include <algorithm>

#include "core/launch.h"

namespace aclimb {

// Nearly always asked again at the same line by the same launch: that is remembered on the core itself.
bool Core::goes_on() {
    if (!launch->lax) return false;
    if (noted.launch == launch->id && noted.pc == pc) return true;
    noted = {launch->id, pc};
    const auto line = reinterpret_cast<uint64_t>(pc);
    return launch->kernel->told.has(line) || launch->has_note(line, unit);
}

void Core::refuse(Fault made) {
    if (!launch->lax) fail(std::move(made));
    launch->went_on(std::move(made), unit);
}

// A note of a later core gives way, so that the words do not depend on which thread was first.
bool Launch::has_note(uint64_t pc, int32_t unit) {
    std::lock_guard lock(mutex);
    return std::any_of(notes.begin(), notes.end(), [&](const Fault& note) { return note.went_on && note.pc == pc && note.unit <= unit; });
}

void Launch::went_on(Fault made, int32_t unit) {
    made.went_on = true;
    made.unit = unit;
    std::lock_guard lock(mutex);
    std::erase_if(notes, [&](const Fault& note) { return note.went_on && note.pc == made.pc && note.unit > unit; });
    const bool there = std::any_of(notes.begin(), notes.end(), [&](const Fault& note) { return note.went_on && note.pc == made.pc; });
    if (!there && notes.size() < kMostNotes) notes.push_back(std::move(made));
}

// In the order of the cores, without those that an earlier launch of the kernel left.
std::vector<Fault> Launch::take_notes() {
    std::stable_sort(notes.begin(), notes.end(), [](const Fault& a, const Fault& b) { return a.unit < b.unit; });
    std::erase_if(notes, [&](const Fault& note) { return note.went_on && !kernel->told.first_time(note.pc); });
    return std::exchange(notes, {});
}

} // namespace aclimb
