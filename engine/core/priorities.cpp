// SPDX-License-Identifier: Apache-2.0
#include "core/priorities.h"

#include <algorithm>

#include "aclimb/op.h"
#include "core/fiber.h"
#include "core/issue.h"
#include "core/launch.h"
#include "core/worker.h"
#include "isa/rows.h"

namespace aclimb {
namespace {

constexpr int64_t kClass = int64_t{1} << 40; // of ranks; inside one: cores in order, agents in order
constexpr int kHeldBack = 4;                 // the class of pipes that run when nothing else can

uint64_t shuffled(uint64_t value) { // splitmix64
    value += 0x9E3779B97F4A7C15ull;
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9ull;
    value = (value ^ value >> 27) * 0x94D049BB133111EBull;
    return value ^ value >> 31;
}

bool is_cross(const Effect& effect) { return effect.signals == Meet::cross || effect.waits == Meet::cross; }

bool writes_gm(const Head& head, const Effect& effect) {
    return effect.stores || ((head.pipe == Pipe::MTE3 || head.pipe == Pipe::FIX) && handles_data(row_of(head.op).kind));
}

} // namespace

// --- ranks

void Priorities::launched(Launch& launch) {
    launch_ = &launch;
    agents_ = -1;
    units_.assign(static_cast<size_t>(launch.units), {});
    held_ = {};
    preferred_ = -1;
    steps_ = changes_ = polls_ = 0;
    fingerprint_ = 0xcbf29ce484222325ull;
    standing_ = pollers_ = 0;
    lowest_ = 0;
    next_change_ = 0;
    of_ = -1;
    news_ = true;
    rank_all();
}

void Priorities::rank_all() {
    for (int32_t unit = 0; unit < launch_->units; unit++) {
        const bool concerned = rules_.units.empty() || std::find(rules_.units.begin(), rules_.units.end(), unit) != rules_.units.end();
        Unit& mine = units_[static_cast<size_t>(unit)];
        for (int agent = 0; agent < kPipes; agent++) {
            mine.rank[agent] = rank_of(unit, agent, concerned);
            if (rules_.kind <= PriorityRules::early && agent != kScalar && mine.rank[agent] / kClass == kHeldBack)
                mine.held_back |= static_cast<uint8_t>(1 << agent);
        }
    }
}

Priorities::Rank Priorities::rank_of(int32_t unit, int agent, bool concerned) const {
    const int32_t order = rules_.kind == PriorityRules::reverse ? unit : launch_->units - 1 - unit;
    const Rank inside = Rank{order} * kPipes + kPipes - agent;
    const bool meant = agent == static_cast<int>(rules_.pipe);
    Rank of_class = agent == kScalar ? 5 : 6; // a pipe runs what it is given before more is issued
    if (concerned) switch (rules_.kind) {
        case PriorityRules::late: of_class = meant ? kHeldBack : of_class; break;
        case PriorityRules::early: of_class = meant ? 7 : agent == kScalar ? 5 : kHeldBack; break;
        case PriorityRules::late_core: of_class -= 4; break;
        case PriorityRules::early_core: of_class += 4; break;
        case PriorityRules::reverse: break;
        case PriorityRules::chance:
            return static_cast<Rank>(shuffled(shuffled(rules_.seed) + static_cast<uint64_t>(inside)) % (10 * kClass)) + 1;
        }
    return of_class * kClass + inside;
}

void Priorities::step(int32_t unit, int agent) {
    Unit& mine = units_[static_cast<size_t>(unit)];
    steps_++;
    fingerprint_ = (fingerprint_ ^ static_cast<uint64_t>(unit * kPipes + agent)) * 0x100000001b3ull;
    mine.stepped |= static_cast<uint8_t>(1 << agent);
    if (next_change_ < rules_.changes.size() && rules_.changes[next_change_] <= steps_) {
        mine.rank[agent] = --lowest_;
        next_change_++;
    }
}

int Priorities::agents() const {
    int found = 0;
    if (agents_ >= 0) return agents_;
    for (const Unit& unit : units_) found += __builtin_popcount(unit.stepped);
    return found;
}

// --- whose turn it is

// Agents that can do something: a bit each.
uint8_t Priorities::enabled(int32_t unit) const {
    constexpr uint8_t scalar = 1 << kScalar;
    const Unit& mine = units_[static_cast<size_t>(unit)];
    if (mine.ended) return 0;
    uint8_t found = scalar;
    if (mine.core) { // it has started
        const bool waits =
            mine.core->state == CoreState::blocked || (mine.waits && !mine.gives_up) || (mine.polling && mine.seen == changes_);
        found = static_cast<uint8_t>((mine.core->pending & ~mine.stands & ~scalar) | (waits ? 0 : scalar));
    }
    return held_.unit == unit ? static_cast<uint8_t>(found & ~(1 << held_.agent)) : found;
}

Priorities::Turn Priorities::best_of(int32_t unit) const {
    const Unit& mine = units_[static_cast<size_t>(unit)];
    Turn best;
    for (uint8_t left = enabled(unit); left; left &= static_cast<uint8_t>(left - 1)) {
        const int agent = __builtin_ctz(left);
        Rank rank = mine.rank[agent] + (unit == preferred_ ? 16 * kClass : 0);
        if (mine.held_back >> agent & 1 && handles_data(row_of(first_of(mine.core->queues[agent]).op).kind)) rank -= kClass;
        if (rank > best.rank) best = {rank, unit, agent};
    }
    return best;
}

Priorities::Turn Priorities::best() {
    Turn best;
    for (int32_t unit = 0; unit < launch_->units; unit++)
        if (const Turn turn = best_of(unit); turn.rank > best.rank) best = turn;
    if (best.unit >= 0 || !pollers_) return best;
    // Only some that poll are left: who has waited longest looks again.
    uint64_t oldest = UINT64_MAX;
    for (int32_t unit = 0; unit < launch_->units; unit++) {
        const Unit& each = units_[static_cast<size_t>(unit)];
        if (each.ended || !each.polling || each.polled_at >= oldest || holds(unit, kScalar)) continue;
        oldest = each.polled_at;
        best = {0, unit, kScalar};
    }
    return best;
}

Priorities::Rank Priorities::best_of_others(int32_t unit) {
    const uint32_t progress = launch_->progress; // counts wake-ups
    if (unit == of_ && !news_ && progress == progress_) return others_;
    of_ = unit;
    news_ = false;
    progress_ = progress;
    others_ = kNobody;
    for (int32_t other = 0; other < launch_->units; other++)
        if (other != unit) others_ = std::max(others_, best_of(other).rank);
    return others_;
}

// --- on the stack of a core

// Until it is the turn of this core's scalar unit, and what it needs has come. False: it never will.
bool Priorities::wait_turn(Core& core, const Need& need, const Head* head) {
    Unit& mine = of(core);
    if (mine.polling) pollers_--;
    mine.polling = false;
    for (;;) {
        mine.waits = !need.is_met(core);
        if (head) comes_to(core, *head);
        if (mine.gives_up) {
            mine.waits = mine.gives_up = false;
            return false;
        }
        const Turn turn = best_of(core.unit);
        if (turn.unit < 0 || turn.rank < best_of_others(core.unit)) {
            core.state = CoreState::ready;
            aclimb_switch(&core.sp, core.worker->scheduler_sp);
            core.asked.drain = false;
            core.state = CoreState::running;
            of_ = -1; // others were at it
        } else if (turn.agent == kScalar) {
            return true;
        } else {
            run(core, turn.agent);
        }
    }
}

bool Priorities::run(Core& core, int pipe) {
    Unit& mine = of(core);
    const Head& head = first_of(core.queues[pipe]); // stays where it is until something is issued
    const Effect effect = effect_of_first(core, core.queues[pipe]);
    const auto bit = static_cast<uint8_t>(1 << pipe);
    if (!run_one(core, pipe)) {
        mine.stands |= bit;
        if (is_cross(effect)) mine.stands_at_cross |= bit, standing_++;
        return false;
    }
    step(core.unit, pipe);
    told(core, head, effect, pipe);
    return true;
}

// What a record means for those who stand.
void Priorities::told(Core& core, const Head& head, const Effect& effect, int agent) {
    if (effect.signals == Meet::flag) of(core).stands &= static_cast<uint8_t>(~bit_of(effect.dst));
    if (effect.waits == Meet::flag) of(core).stands &= static_cast<uint8_t>(~bit_of(effect.src));
    if (standing_ && is_cross(effect)) retry_cross();
    if (pollers_ && writes_gm(head, effect)) changes_++, news_ = true;
    ran(core, head, agent);
}

void Priorities::retry_cross() {
    for (Unit& unit : units_) {
        unit.stands &= static_cast<uint8_t>(~unit.stands_at_cross);
        unit.stands_at_cross = 0;
    }
    standing_ = 0;
    news_ = true;
}

void Priorities::run_dry(Core& core) {
    for (bool progress = true; progress;) {
        progress = false;
        for (int pipe = 0; pipe < kPipes; pipe++)
            while (enabled(core.unit) & ~(1 << kScalar) & 1 << pipe && run(core, pipe)) progress = true;
    }
}

Observer::Then Priorities::issued(Core& core, Head& head) {
    const bool at_once = head.pipe == Pipe::S || head.pipe == Pipe::ALL;
    const bool met = wait_turn(core, need_of(core, head), &head);
    step(core.unit, kScalar);
    if (at_once) {
        if (!met && is_stopped_by(core, head)) fail_unmet(core, head);
        if (keeps(core, head)) return Then::taken;
        execute_record(core, head);
        told(core, head, effect_of(core, head), kScalar);
        return Then::taken;
    }
    defer(core, &head);
    queued(core, static_cast<int>(head.pipe));
    if (is_long(core)) run_dry(core);
    return Then::taken;
}

// As long as it is the turn of its pipes.
int Priorities::drain(Core& core) {
    int ran = 0;
    of_ = -1;
    for (;;) {
        const Turn turn = best_of(core.unit);
        if (turn.unit < 0 || turn.agent == kScalar || turn.rank < best_of_others(core.unit)) return ran;
        ran += run(core, turn.agent);
    }
}

// Forwards through a table is reading; the same word, or an earlier one, is polling.
void Priorities::polls(Core& core, uint64_t addr) {
    Unit& mine = of(core);
    if (mine.polling) pollers_--;
    mine.polling = addr <= mine.polled_addr;
    mine.polled_addr = addr;
    mine.polled_at = ++polls_;
    mine.seen = changes_;
    pollers_ += mine.polling;
}

bool Priorities::give_up() {
    for (Unit& unit : units_)
        if (!unit.ended && unit.core && unit.waits) {
            unit.gives_up = true;
            return true;
        }
    return false;
}

} // namespace aclimb
