// SPDX-License-Identifier: Apache-2.0
// A set is handed in before it runs: the engine may let a pipe, or another core, go on while it is still at it. A wait, and whatever
// touches memory, is looked at when it has run.
#include "check/launch_check.h"

#include "aclimb/op.h"
#include "check/apply.h"
#include "check/exact.h"
#include "check/judge.h"
#include "check/operands.h"
#include "check/touches.h"
#include "core/launch.h"
#include "core/start.h"
#include "isa/rows.h"

namespace aclimb::check {
namespace {

std::vector<CrossGroup> groups_of(const Launch& launch) {
    return cross_groups(launch.num_blocks, aics_per_block(launch.kernel->type), aivs_per_block(launch.kernel->type));
}

} // namespace

LaunchCheck::LaunchCheck(const Options& options, Launch& launch, GlobalValues* global)
    : options_(options), global_(global), cross_(launch.units, groups_of(launch)) {
    for (int32_t unit = 0; unit < launch.units; unit++) {
        CoreType type;
        int64_t block;
        int32_t sub;
        place_unit(launch, unit, type, block, sub);
        const int ratio = type == CoreType::AIV ? aivs_per_block(launch.kernel->type) : 1;
        cores_.push_back(std::make_unique<CoreCheck>(options_, findings, unit, type, block, block * ratio + sub, &log_budget_));
    }
    log_budget_.left = static_cast<int64_t>(options_.log_bytes / sizeof(GmAccess));
    const auto units = static_cast<size_t>(launch.units);
    values_.resize(units);
    signalling_.resize(units);
    tpipes_.resize(units);
    steered_.resize(units);
    if (options_.advice) advice_ = std::make_unique<Adviser>(launch.units);
    if (options_.tape) taping_ = std::make_unique<Taping>(launch);
}

Spot LaunchCheck::spot(const Core& core, const Head& head) const {
    return {reinterpret_cast<uint64_t>(core.pc),
            head.op,
            core.origin.sub,
            core.origin.waited,
            core.origin.set,
            tpipes_[static_cast<size_t>(core.unit)].at(head.pipe)};
}

void LaunchCheck::launched(Launch& launch) {
    is_off_ = std::any_of(launch.observers.begin(), launch.observers.end(), [](const auto& each) { return each->leaves_out(); });
    if (is_off_ && global_) global_->wrote_everything(); // it does not write what it should
}

Observer::Then LaunchCheck::issued(Core& core, Head& head) {
    if (is_off_) return Then::go_on;
    tpipes_[static_cast<size_t>(core.unit)].issued(core, head);
    of(core).order.issued(head.pipe);
    if (advice_) advice_->issued(core, head);
    if (taping_) taping_->issued(core, head, spot(core, head));
    return Then::go_on;
}

// --- order

void LaunchCheck::executing(Core& core, const Head& head) {
    if (is_off_ || handles_data(row_of(head.op).kind)) return;
    Effect effect = effect_of(core, head);
    if (effect.signals == Meet::nothing && !effect.is_soft) return;
    Signalling& own = signalling_[static_cast<size_t>(core.unit)];
    if (own.handed_in & bit_of(head.pipe)) return; // it had to wait for its turn
    own.handed_in |= bit_of(head.pipe);
    own.rounds.count(effect);
    if (effect.meets_by_count()) own.meeting = effect;
    say(core, head, effect);
}

void LaunchCheck::say(Core& core, const Head& head, const Effect& effect) {
    CoreCheck& checked = of(core);
    if (effect.signals == Meet::word) {
        const auto& access = reinterpret_cast<const ScalarAccess&>(head);
        const uint64_t value = access.value & bits_of_size(size_of(head.dtype));
        return cross_.publish(access.at.addr, value, core.unit, checked.order.control());
    }
    const Spot here = spot(core, head);
    if (effect.signals == Meet::cross && (effect.mode > 2 || effect.id >= kCrossFlags)) return; // the engine refuses it
    const auto mixed = signal(checked, cross_, effect, head.pipe, here);
    if (!effect.is_soft)
        if (const auto mark = mark_of(effect, head.pipe)) checked.synchronised(*mark, here);
    if (effect.signals == Meet::flag && effect.id >= 6 && !core.caller &&
        !(core.event_used[static_cast<int>(effect.src)][static_cast<int>(effect.dst)] >> effect.id & 1))
        tell(core, here, FindingKind::reserved_id, effect.id);
    if (mixed.kind != CrossOrder::Mixed::no) tell_mixed(core, here, mixed, effect.id);
}

void LaunchCheck::tell_mixed(const Core& core, const Spot& here, const CrossOrder::Mixed& mixed, int id) {
    Finding made = found_at(core, here, mixed.kind == CrossOrder::Mixed::pipes ? FindingKind::mixed_pipes : FindingKind::mixed_groups, id);
    const CoreCheck& named = *cores_[static_cast<size_t>(mixed.unit)];
    made.first = {mixed.spot, 0, named.unit, named.block, named.core_idx, named.type, Agent::S, Way::reads, 0};
    made.met = mixed.times;
    findings.add(std::move(made));
    doubt(Doubt::mixed_flags, core, here);
}

void LaunchCheck::executed(Core& core, const Head& head, const Ranges& touched) {
    if (is_off_) return;
    tpipes_[static_cast<size_t>(core.unit)].ran(head.pipe);
    const Effect effect = effect_of(core, head);
    if (handles_data(row_of(head.op).kind)) {
        data(core, head, effect, touched);
        if (effect.signals != Meet::nothing) say(core, head, effect); // it covers what the record itself touched
        return;
    }
    control(core, head, effect, touched);
}

void LaunchCheck::control(Core& core, const Head& head, Effect effect, const Ranges& touched) {
    thread_local std::vector<Touch> touches;
    Signalling& own = signalling_[static_cast<size_t>(core.unit)];
    if (effect.signals != Meet::nothing || effect.is_soft) own.handed_in &= static_cast<uint8_t>(~bit_of(head.pipe));
    if (effect.meets_by_count()) effect = own.meeting;
    scalar_touches_of(head, effect, touched, touches);
    if (taping_) taping_->ran(core, head, effect, touches);
    if (effect.only_signals()) { // that was said when it began
        if (advice_ && effect.signals != Meet::flag) advice_->signalled(core, head.pipe);
        return;
    }
    CoreCheck& checked = of(core);
    const Spot here = spot(core, head);
    hear(checked, cross_, effect);
    barrier(checked.order, effect);
    touch(checked, effect, head.pipe, here, touches);
    if (const auto mark = mark_of(effect, head.pipe)) checked.synchronised(*mark, here);
    if (advice_ && effect.is_barrier && !effect.is_soft) advice_->barrier(core, head.pipe, here);
    if (effect.reads_clock) doubt(Doubt::time, core, here);
    if (effect.is_access() && !touches.empty()) accessed(core, reinterpret_cast<const ScalarAccess&>(head), effect, here, touched);
}

void LaunchCheck::accessed(Core& core, const ScalarAccess& access, const Effect& effect, const Spot& here, const Ranges& touched) {
    if (effect.loads) steer(core, here);
    look_at_values(core, access.head, touched);
    if (effect.waits != Meet::word) return;
    const uint64_t value = access.value & bits_of_size(touched.begin()->length);
    if (cross_.poll(access.at.addr, value, core.unit, of(core).order)) doubt(Doubt::polling, core, here);
}

// --- data

void LaunchCheck::data(Core& core, const Head& head, const Effect& effect, const Ranges& all) {
    thread_local std::vector<Touch> touches;
    thread_local Ranges exact_room, room;
    const Ranges& touched = without_repeats(exact(core, head, all, exact_room), room);
    touches_of(head, effect, touched, *core.memory, touches);
    if (taping_) taping_->ran(core, head, effect, touches);
    const Spot here = spot(core, head);
    touch(of(core), effect, head.pipe, here, touches);
    if (const auto found = misplaced(head, touched)) {
        Finding made = found_at(core, here, found->kind, static_cast<int64_t>(found->number), found->operand);
        made.first.agent = agent_of(head.pipe);
        made.memory = Memory::UB;
        made.begin = found->begin;
        made.end = found->end;
        findings.add(std::move(made));
    }
    if (advice_) advice_->data(core, head, here, touches);
    look_at_values(core, head, touched);
}

// --- the end

void LaunchCheck::left(Core& core) {
    if (is_off_) return;
    of(core).end();
    values_[static_cast<size_t>(core.unit)].reset();
}

bool LaunchCheck::ended(Launch& launch) {
    if (is_adopted_) return true;
    if (is_off_) {
        doubts_.assign(1, {Doubt::left_out, {}});
        return true;
    }
    doubts_.erase(std::remove_if(doubts_.begin(), doubts_.end(), [](const Doubted& each) { return each.what == Doubt::left_out; }),
                  doubts_.end());                // it ran once more, as a whole
    for (const auto& each : cores_) each->end(); // those that a fault ended
    judge_global(cores_, options_.all_pairs, findings);
    if (advice_ && !launch.fault) advice_->finish(cores_, findings);
    if (taping_) taping_->settle();
    find_reused(launch);
    for (const auto& core : cores_)
        if (core->log.is_full()) doubts_.push_back({Doubt::log_full, core->side({})});
    for (const auto& core : cores_)
        for (const GmAccess& each : core->log.all()) {
            const bool writes = each.access.way != Way::reads;
            each_row(each.bytes, [&](uint64_t begin, uint64_t end) { boxes_.push_back({begin, end, writes}); });
        }
    join_boxes(boxes_);
    for (auto& core : cores_) core->log.all().clear();
    return true;
}

void LaunchCheck::adopt(Seen seen) {
    is_adopted_ = true;
    findings.adopt(std::move(seen.findings));
    doubts_ = std::move(seen.doubts);
    steers_ = std::move(seen.steers);
    boxes_ = std::move(seen.boxes);
    join_boxes(boxes_);
    if (taping_) taping_->tape.adopt(std::move(seen.cores));
}

// An argument is older than the memory it points to.
void LaunchCheck::find_reused(const Launch& launch) {
    std::map<uint64_t, Allocation> younger; // by address
    Allocation found;
    for (uint64_t each : launch.args)
        if (launch.memory->find(each, found) && found.number > launch.bound_at) younger[found.addr] = found;
    if (younger.empty()) return;
    for (const auto& core : cores_)
        for (const GmAccess& each : core->log.all()) {
            auto piece = younger.upper_bound(each.bytes.begin);
            if (piece == younger.begin() || (--piece)->first + piece->second.size <= each.bytes.begin) continue;
            Finding made;
            made.kind = FindingKind::reused;
            made.first = core->side(each.access);
            made.begin = each.bytes.begin;
            made.end = each.bytes.end();
            made.number = piece->second.allocated_at;
            findings.add(std::move(made));
        }
}

Finding LaunchCheck::found_at(const Core& core, const Spot& here, FindingKind kind, int64_t number, int operand) {
    Finding made;
    made.kind = kind;
    Access access;
    access.site = Spots::with_operand(of(core).spots.number(here), operand);
    made.first = of(core).side(access);
    made.number = number;
    return made;
}

void LaunchCheck::tell(const Core& core, const Spot& here, FindingKind kind, int64_t number) {
    findings.add(found_at(core, here, kind, number));
}

void LaunchCheck::steer(const Core& core, const Spot& here) {
    if (!steered_[static_cast<size_t>(core.unit)].insert(here.pc).second) return;
    Access access;
    access.site = Spots::with_operand(of(core).spots.number(here), 0);
    std::lock_guard lock(mutex_);
    if (std::none_of(steers_.begin(), steers_.end(), [&](const Side& each) { return each.spot.pc == here.pc; }))
        steers_.push_back(of(core).side(access));
}

void LaunchCheck::doubt(Doubt what, const Core& core, const Spot& here) {
    Access access;
    access.site = Spots::with_operand(of(core).spots.number(here), 0);
    std::lock_guard lock(mutex_);
    for (const Doubted& each : doubts_)
        if (each.what == what && each.where.spot.pc == here.pc) return;
    doubts_.push_back({what, of(core).side(access)});
}

} // namespace aclimb::check
