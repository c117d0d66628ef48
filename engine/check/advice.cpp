// SPDX-License-Identifier: Apache-2.0
#include "check/advice.h"

#include "aclimb/op.h"
#include "isa/banks.h"
#include "isa/rows.h"
#include "isa/shapes/repeat.h"

namespace aclimb::check {
namespace {

constexpr uint32_t kOneTurn = 16, kTwoTurns = 32; // of bank_factor: what every repeat takes
constexpr int64_t kLeastLost = 16;                // cycles of one instruction
constexpr uint64_t kShort = 512;                  // bytes of a copy: assumed, its start takes longer than that many
constexpr uint64_t kManyInARow = 8;               // ... that come one behind the other
constexpr uint64_t kLong = 4096;                  // bytes of a burst: assumed, one line more does not matter to a shorter one
constexpr uint64_t kLineOfMemory = 512;           // what the vendor advises to begin at

// Pipes whose barriers are judged; those of the cube have reasons that are no bytes.
bool is_judged(Pipe pipe) { return pipe == Pipe::V || pipe == Pipe::MTE2 || pipe == Pipe::MTE3; }
bool in_global(const Place& place) { return place.memory == static_cast<uint64_t>(Memory::GM); }

} // namespace

void Adviser::issued(const Core& core, const Head&) {
    if (core.caller) of(core).of_library.insert(reinterpret_cast<uint64_t>(core.caller));
}

void Adviser::tell(CoreState& state, const Told& told) {
    if (state.of_library.count(told.spot.pc)) return;
    const auto [at, fresh] = state.told.try_emplace({told.spot.pc, told.kind}, told);
    if (!fresh) at->second.met += told.met;
}

void Adviser::data(const Core& core, const Head& head, const Spot& here, const std::vector<Touch>& touches) {
    CoreState& state = of(core);
    if (head.op == Op::copy) look_at_copy(state, head, here);
    if (row_of(head.op).kind == Class::vector) look_at_banks(state, head, here);
    if (is_judged(head.pipe)) look_at_order(state, head.pipe, touches);
}

// --- time

void Adviser::look_at_banks(CoreState& state, const Head& head, const Spot& here) {
    const auto& v = reinterpret_cast<const Vector&>(head);
    const VectorShape shape = shape_of(v);
    const uint32_t factor = bank_factor(v, shape);
    if (factor < kTwoTurns) return;
    Vector moved = v;
    moved.b.addr += kRepeatBytes;
    if (bank_factor(moved, shape) != kOneTurn) return; // strides of its own are in the way
    const int64_t lost = static_cast<int64_t>(factor - kOneTurn) * shape.repeats / kOneTurn;
    if (lost < kLeastLost) return;
    tell(state, {here, FindingKind::bank_conflict, 1, Memory::UB, Agent::V, v.a.addr, v.a.addr + shape.a_span, 1, lost});
}

void Adviser::look_at_copy(CoreState& state, const Head& head, const Spot& here) {
    const auto& copy = reinterpret_cast<const Copy&>(head);
    const bool reads = in_global(copy.src);
    if (reads == in_global(copy.dst) || !copy.count || !copy.length) return;
    const uint64_t at = reads ? copy.src.addr : copy.dst.addr, bytes = uint64_t{copy.count} * copy.length;
    const Told told{here, FindingKind::short_copy,    reads, Memory::GM, static_cast<Agent>(head.pipe), at, at + bytes,
                    1,    static_cast<int64_t>(bytes)};
    if (copy.length >= kLong && at % kLineOfMemory) {
        Told misaligned = told;
        misaligned.kind = FindingKind::misaligned_copy;
        misaligned.end = at + copy.length;
        misaligned.number = 0;
        tell(state, misaligned);
    }
    Run& run = state.pipes[static_cast<int>(head.pipe)].run;
    const auto step = static_cast<int64_t>(at - run.at);
    const bool follows = run.line == here.pc && run.bytes == bytes && step >= static_cast<int64_t>(bytes);
    if (bytes >= kShort || !follows) {
        run = {here.pc, at, bytes, 1, 0};
        return;
    }
    run.length = run.length == 1 || run.step == step ? run.length + 1 : 2;
    run.step = step;
    run.at = at;
    if (run.length < kManyInARow) return;
    Told many = told;
    if (run.length == kManyInARow) many.met = kManyInARow;
    tell(state, many);
}

// --- order

// What conflicts with instruction `from` of the pipe, or an earlier one, keeps the barriers behind it.
void Adviser::need(CoreState& state, PipeState& pipe, uint32_t from) {
    bool any = false;
    for (const Barrier& each : pipe.barriers)
        if (each.behind >= from) any = state.barriers[each.line].needed = true;
    if (any) std::erase_if(pipe.barriers, [&](const Barrier& each) { return state.barriers[each.line].needed; });
}

void Adviser::look_at_order(CoreState& state, Pipe number, const std::vector<Touch>& touches) {
    PipeState& pipe = state.pipes[static_cast<int>(number)];
    Access access;
    access.agent = agent_of(number);
    access.count = ++pipe.count;
    uint32_t first = access.count;
    for (const Touch& each : touches) {
        access.way = each.way;
        access.atomic = each.atomic;
        Shadow& shadow = pipe.touched[each.in_register ? kMemories : static_cast<int>(each.memory)];
        each_row(each.bytes, [&](uint64_t begin, uint64_t end) {
            shadow.touch(access, begin, end, [&](const Met& met) { first = std::min(first, met.earlier.count); });
        });
    }
    if (first < access.count) need(state, pipe, first);
}

void Adviser::barrier(const Core& core, Pipe pipe, const Spot& here) {
    if (!is_judged(pipe)) return;
    CoreState& state = of(core);
    Standing& line = state.barriers[here.pc];
    line.spot = here;
    line.pipe = pipe;
    line.met++;
    PipeState& on = state.pipes[static_cast<int>(pipe)];
    if (!line.needed) on.barriers.push_back({on.count, here.pc});
}

// A set covers the pipe by itself; who puts a barrier in front of one that other cores wait for is taken at his word.
void Adviser::signalled(const Core& core, Pipe pipe) {
    if (!is_judged(pipe)) return;
    CoreState& state = of(core);
    PipeState& on = state.pipes[static_cast<int>(pipe)];
    need(state, on, on.count);
}

void Adviser::finish(const std::vector<std::unique_ptr<CoreCheck>>& cores, Findings& findings) {
    const bool clean = findings.empty();
    std::unordered_set<uint64_t> needed;
    for (const CoreState& core : cores_)
        for (const auto& [line, each] : core.barriers)
            if (each.needed || core.of_library.count(line)) needed.insert(line);
    for (size_t unit = 0; unit < cores_.size(); unit++) {
        CoreCheck& core = *cores[unit];
        const auto add = [&](const Told& told, std::vector<check::Standing> order) {
            Finding made;
            Access access;
            access.agent = told.agent;
            access.site = Spots::with_operand(core.spots.number(told.spot), told.operand);
            made.kind = told.kind;
            made.first = core.side(access);
            made.memory = told.memory;
            made.begin = told.begin;
            made.end = told.end;
            made.met = told.met;
            made.number = told.number;
            made.order = std::move(order);
            findings.add(std::move(made));
        };
        for (const auto& [key, told] : cores_[unit].told) add(told, {});
        for (const auto& [line, each] : cores_[unit].barriers) {
            if (!clean || needed.count(line)) continue;
            const SyncMark mark{SyncMark::barrier, each.pipe, each.pipe};
            add({each.spot, FindingKind::needless_sync, 0, Memory::UB, agent_of(each.pipe), 0, 0, each.met, 0},
                {{mark, each.spot, At::between}});
        }
    }
}

} // namespace aclimb::check
