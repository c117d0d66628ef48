// SPDX-License-Identifier: Apache-2.0
#include "check/judge.h"

namespace aclimb::check {
namespace {

// Between members of a SuperKernel: the later one before its wait, or the earlier one behind its set.
FindingKind kind_of_members(const Side& later) {
    if (later.spot.waited) return FindingKind::early_set;
    return later.way == Way::reads ? FindingKind::early_read : FindingKind::early_write;
}

// The cache's part in it: the other one comes behind the scalar unit's store, the line is not written back.
FindingKind kind_of_cache(const GmAccess& x, const GmAccess& y, FindingKind otherwise) {
    const auto knows = [](const GmAccess& stored, const GmAccess& other, Agent what, uint64_t number) {
        const auto count = static_cast<uint32_t>(number);
        return other.start.knows(other.access.unit, stored.access.unit, what, count) ||
               (other.now && other.now->knows(other.access.unit, stored.access.unit, what, count));
    };
    if (y.now && y.now->knows(y.access.unit, x.access.unit, x.access.agent, x.access.count)) return FindingKind::stale;
    if (x.now && x.now->knows(x.access.unit, y.access.unit, y.access.agent, y.access.count)) return FindingKind::stale;
    for (const auto& [stored, other] : {std::pair(&x, &y), std::pair(&y, &x)}) {
        if (stored->access.agent != Agent::D) continue;
        if (stored->access.way == Way::reads) return FindingKind::shared_line;
        const uint64_t store = stored->access.value & UINT32_MAX, clean = stored->access.value >> 32;
        if (clean && knows(*stored, *other, Agent::cleaned, clean)) return FindingKind::not_awaited;
        if (knows(*stored, *other, Agent::stored, store)) return FindingKind::not_written_back;
    }
    return otherwise;
}

FindingKind kind_of(const GmRace& race, const Side& first, const Side& second) {
    const Access &x = race.x->access, &y = race.y->access;
    if ((x.marks | y.marks) & kSyncWord) return FindingKind::sync_words;
    if (first.spot.sub != second.spot.sub) return kind_of_members(second);
    if ((x.marks | y.marks) & kCached) {
        const FindingKind kind = kind_of_cache(*race.x, *race.y, FindingKind::race);
        if (kind != FindingKind::race) return kind;
    }
    if (x.way == Way::atomic || y.way == Way::atomic) return FindingKind::atomic_mix;
    if (x.unit == y.unit) return FindingKind::race;
    const bool equal = x.way == Way::writes && y.way == Way::writes && x.marks & y.marks & kUniform && x.value == y.value;
    return equal ? FindingKind::race_equal : FindingKind::race_cores;
}

// Zeroing a workspace that others synchronise through is a documented habit.
bool is_clearing(const GmRace& race) {
    const auto clears = [](const Access& access) { return access.marks & kUniform && !access.value; };
    const Access &x = race.x->access, &y = race.y->access;
    return (x.marks & kSyncWord && clears(y)) || (y.marks & kSyncWord && clears(x));
}

} // namespace

void judge_global(const std::vector<std::unique_ptr<CoreCheck>>& cores, bool all_pairs, Findings& findings) {
    std::vector<GmLog*> logs;
    for (const auto& each : cores) logs.push_back(&each->log);
    const auto core_of = [&](const GmAccess& access) -> const CoreCheck& { return *cores[static_cast<size_t>(access.access.unit)]; };
    const auto has_heard = [&](const GmAccess& of, const GmAccess& access) { return access.start.world && core_of(of).has_set_across(); };
    sweep(logs, all_pairs, [&](const GmRace& race) {
        if (is_clearing(race)) return;
        const GmAccess *x = race.x, *y = race.y;
        Side first = core_of(*x).side(x->access), second = core_of(*y).side(y->access);
        if (std::pair(first.spot.sub, first.unit) >
            std::pair(second.spot.sub, second.unit)) { // the earlier member, or the lower core, first
            std::swap(x, y);
            std::swap(first, second);
        }
        Finding made;
        made.first = first;
        made.begin = race.begin;
        made.end = race.end;
        if (race.sums) {
            made.kind = FindingKind::atomic_float;
            made.number = race.sums;
        } else {
            made.kind = kind_of(race, first, second);
            made.second = second;
            made.has_second = true;
            core_of(*x).across_near(x->access, At::behind_first, made.order);
            core_of(*y).across_near(y->access, At::before_second, made.order);
            made.number = has_heard(*x, *y) || has_heard(*y, *x); // cores have synchronised, but not for this
        }
        findings.add(std::move(made));
    });
}

} // namespace aclimb::check
