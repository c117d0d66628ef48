// SPDX-License-Identifier: Apache-2.0
#include "isolation/wire_tape.h"

#include "core/cross_core.h"
#include "core/launch.h"
#include "core/plan.h"
#include "isa/rows.h"

namespace aclimb {

using namespace check;

namespace {

constexpr uint32_t kMostEvents = 1 << 26;
constexpr uint64_t kMostTouched = 1 << 24; // of one touch; no local memory is as large

bool has_pipe(Pipe pipe) { return static_cast<int>(pipe) < kPipes; }

bool makes_sense(Meet meet, const Effect& effect) {
    switch (meet) {
    case Meet::flag: return has_pipe(effect.src) && has_pipe(effect.dst) && effect.id < kEventIds;
    case Meet::cross: return effect.mode <= 2 && effect.id < kCrossFlags;
    default: return static_cast<size_t>(meet) < kNames<Meet>.size();
    }
}

// What the judge uses as an index.
bool makes_sense(const TapeEvent& event, size_t touches) {
    const Effect& effect = event.effect;
    if (uint64_t{event.first_touch} + event.touches > touches || !is_row(event.spot.op)) return false;
    if (!makes_sense(effect.waits, effect) || !makes_sense(effect.signals, effect)) return false;
    const bool needs_pipe = handles_data(row_of(event.spot.op).kind) || effect.signals != Meet::nothing;
    const bool of_one_pipe = effect.is_barrier && effect.after != kAllPipes;
    return (has_pipe(event.pipe) || !needs_pipe) && (!of_one_pipe || (effect.after && !(effect.after >> kPipes)));
}

bool makes_sense(const Touch& touch, const GlobalMemory& memory) {
    const Rectangle& bytes = touch.bytes;
    const uint64_t first = touch.is_global() ? memory.begin() : 0, room = touch.is_global() ? memory.end() - first : kMostTouched;
    const uint64_t stride = bytes.stride < 0 ? ~uint64_t{0} : static_cast<uint64_t>(bytes.stride);
    if (static_cast<size_t>(touch.memory) >= kNames<Memory>.size() || static_cast<size_t>(touch.way) >= kNames<Way>.size()) return false;
    if (touch.operand > 7 || !bytes.count || !bytes.length || bytes.length > kMostTouched || bytes.count > kMostTouched) return false;
    if (bytes.begin < first || bytes.begin - first >= room || (bytes.count > 1 && stride > room)) return false;
    if (bytes.length * bytes.count > kMostTouched) return false;
    return bytes.end() > bytes.begin && bytes.end() - first <= room;
}

Touch get_touch(Reader& from) {
    auto touch = from.get<Touch>();
    uint8_t in_register;
    memcpy(&in_register, &touch.in_register, 1);
    touch.in_register = in_register != 0; // not whatever byte came
    return touch;
}

TapeEvent get_event(Reader& from, const Launch& launch, const Images& images) {
    TapeEvent event;
    event.effect = from.get<Effect>();
    event.pipe = from.get_enum<Pipe>(kNames<Pipe>.size());
    for (bool* each : {&event.has_run, &event.early_set, &event.early_wait}) *each = from.get<uint8_t>() != 0;
    event.member = from.get_between<int32_t>(-1, members_of(launch) - 1);
    event.spot = get_spot(from, launch, images);
    for (uint32_t* each : {&event.first_touch, &event.touches}) *each = from.get<uint32_t>();
    return event;
}

void put_event(Writer& to, const TapeEvent& event, const Images& images) {
    to.put(event.effect);
    to.put(static_cast<uint32_t>(event.pipe));
    for (const bool each : {event.has_run, event.early_set, event.early_wait}) to.put(each);
    to.put(event.member);
    put_spot(to, event.spot, images);
    for (const uint32_t each : {event.first_touch, event.touches}) to.put(each);
}

} // namespace

void put_spot(Writer& to, const Spot& spot, const Images& images) {
    put_place(to, images, spot.pc);
    to.put(static_cast<uint32_t>(spot.op));
    to.put(spot.sub);
    for (const uint8_t each : {spot.waited, spot.set, spot.pipes}) to.put(each);
}

Spot get_spot(Reader& from, const Launch& launch, const Images& images) {
    Spot spot;
    spot.pc = get_place(from, images);
    spot.op = from.get_enum<Op>(static_cast<size_t>(kRowCount) + 1);
    spot.sub = from.get_between<int32_t>(-1, members_of(launch) - 1);
    for (uint8_t* each : {&spot.waited, &spot.set, &spot.pipes}) *each = from.get<uint8_t>();
    return spot;
}

void put_tape(Writer& to, const Tape& tape, const Images& images) {
    for (const CoreTape& core : tape.cores()) {
        to.put(static_cast<uint32_t>(core.events.size()));
        for (const TapeEvent& each : core.events) put_event(to, each, images);
        to.put(static_cast<uint32_t>(core.touches.size()));
        for (const Touch& each : core.touches) to.put(each);
    }
}

void get_tape(Reader& from, std::vector<CoreTape>& cores, const Launch& launch, const Images& images) {
    for (int32_t unit = 0; unit < launch.units && !from.bad; unit++) {
        CoreTape& core = cores.emplace_back();
        for (uint32_t i = from.get_count(kMostEvents); i > 0 && !from.bad; i--) core.events.push_back(get_event(from, launch, images));
        for (uint32_t i = from.get_count(kMostEvents); i > 0 && !from.bad; i--) {
            core.touches.push_back(get_touch(from));
            if (!makes_sense(core.touches.back(), *launch.memory)) from.bad = true;
        }
        for (const TapeEvent& each : core.events)
            if (!makes_sense(each, core.touches.size())) from.bad = true;
    }
}

} // namespace aclimb
