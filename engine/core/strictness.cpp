// SPDX-License-Identifier: Apache-2.0
#include "core/strictness.h"

#include <csetjmp>

#include <algorithm>

#include "core/launch.h"
#include "isa/rows.h"

namespace aclimb {

// An instruction of a lax launch. Datapath::at has no way back from a check that failed: a call that may return would make every
// instruction of every launch slower, by a third for an Add, because what the compiler keeps in registers would have to survive it. So a
// lax launch widens the operand in the record and runs the instruction again. That is sound because instructions look at all their operands
// before they change anything. Operands in global memory need none of this: asking for the allocation is a call that returns anyway.
struct Attempt {
    std::jmp_buf start;
    Head& head;
    Attempt* around; // an instruction that issues others
    int times;
};

bool execute_lax(Core& core, Head& head) {
    Attempt attempt{{}, head, core.attempt, 0};
    core.attempt = &attempt;
    setjmp(attempt.start);
    const bool ran = execute_table[static_cast<int>(head.op)](core, head);
    core.attempt = attempt.around;
    return ran;
}

namespace {

void widen(const Core& core, Place& place) {
    place.size = core.memory->size[place.memory] - place.addr;
    place.slot = kNoSlot;
}

// The operand of the record; an instruction may have asked with a copy of it, or with a part.
void widen_in(const Core& core, Head& head, const Place& asked) {
    const Row& row = row_of(head.op);
    int index = 0;
    while (index < row.operands && memcmp(&place_of(head, row.operand[index]), &asked, sizeof(Place)) != 0) index++;
    if (index == row.operands) {                 // IBSet and relatives ask for a part of their only operand
        if (row.operands != 1) __builtin_trap(); // our own mistake
        index = 0;
    }
    widen(core, const_cast<Place&>(place_of(head, row.operand[index])));
}

} // namespace

void Datapath::run_again(const Place& place) {
    constexpr int kOperands = 8; // more than any instruction has
    Attempt* attempt = core_of(*this).attempt;
    if (!attempt || ++attempt->times > kOperands) __builtin_trap(); // our own mistake: an operand that cannot be found in its record
    widen_in(core_of(*this), attempt->head, place);
    std::longjmp(attempt->start, 1);
}

// Nearly always asked again at the same few lines by the same launch: they are remembered on the core itself.
bool Datapath::has_noted() {
    Core& core = core_of(*this);
    Launch& launch = *core.launch;
    const auto line = reinterpret_cast<uint64_t>(pc);
    auto& noted = core.noted[line * 0x9e3779b97f4a7c15 >> 61];
    if (noted.launch == launch.id && noted.pc == pc) return true;
    noted.launch = launch.id;
    noted.pc = pc;
    return launch.kernel->told.has_line(line) || launch.has_note(line, core.unit);
}

bool Datapath::goes_on() { return core_of(*this).launch->lax && has_noted(); }

void Datapath::refuse(Fault made) {
    const Core& core = core_of(*this);
    made.chip_runs = true;
    if (!core.launch->lax) fail(std::move(made));
    core.launch->went_on(std::move(made), core.unit);
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
