// SPDX-License-Identifier: Apache-2.0
// A set is handed in before it runs: the engine may let a pipe, or another core, go on while it is still at it. A wait, and whatever
// touches memory, is looked at when it has run.
#include "check/launch_check.h"

#include <bit>

#include "aclimb/op.h"
#include "check/exact.h"
#include "check/judge.h"
#include "check/launch_parts.h"
#include "check/operands.h"
#include "check/touches.h"
#include "core/launch.h"
#include "core/plan.h"
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
    rounds_.resize(units);
    handed_in_.resize(units);
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
    if (is_off_) return;
    const bool local_set = head.op == Op::set_flag,
               across = head.op == Op::cross_set || (head.op == Op::next_task_start && sets_early(core));
    const bool posts = head.op == Op::post_message;
    if (local_set || across || posts) {
        const auto bit = static_cast<uint8_t>(1u << static_cast<int>(head.pipe));
        uint8_t& handed_in = handed_in_[static_cast<size_t>(core.unit)];
        if (handed_in & bit) return; // it had to wait for its turn
        handed_in |= bit;
    }
    if (local_set) return set_flag(core, reinterpret_cast<const Flag&>(head));
    if (posts) {
        const auto& message = reinterpret_cast<const MessageHead&>(head);
        return cross_.post(letter_box(unit_of_peer(core, message.peer), core.unit), core.unit, of(core).order.signal(head.pipe));
    }
    if (head.op == Op::cross_set) {
        const auto& flag = reinterpret_cast<const CrossFlag&>(head);
        return set_across(core, head, flag.mode, flag.id);
    }
    if (across) return set_across(core, head, 0, flag_of_all(core.core_type));
    if (is_soft_sync(head.op)) arrive(core, head);
    if (head.op == Op::scalar_store) publish(core, reinterpret_cast<const ScalarAccess&>(head));
}

void LaunchCheck::set_flag(Core& core, const Flag& flag) {
    CoreCheck& checked = of(core);
    const Spot here = spot(core, flag.head);
    if (flag.id >= 6 && !core.caller && !(core.event_used[static_cast<int>(flag.src)][static_cast<int>(flag.dst)] >> flag.id & 1))
        tell(core, here, FindingKind::reserved_id, flag.id);
    if (flag.src == flag.dst) checked.order.barrier(flag.src);
    else checked.order.set_flag(flag.src, flag.dst, flag.id);
    checked.synchronised({SyncMark::set, flag.src, flag.dst, flag.id}, here);
}

void LaunchCheck::set_across(Core& core, const Head& head, int mode, int id) {
    if (mode < 0 || mode > 2 || id < 0 || id >= kCrossFlags) return; // the engine refuses it
    CoreCheck& checked = of(core);
    const Spot here = spot(core, head);
    checked.synchronised({SyncMark::cross_set, head.pipe, head.pipe, static_cast<uint8_t>(id), static_cast<uint8_t>(mode)}, here);
    const auto mixed = cross_.set(core.unit, mode, id, {checked.order.signal(head.pipe), head.pipe, here});
    if (mixed.kind == CrossOrder::Mixed::no) return;
    Finding made = found_at(core, here, mixed.kind == CrossOrder::Mixed::pipes ? FindingKind::mixed_pipes : FindingKind::mixed_groups, id);
    const CoreCheck& named = *cores_[static_cast<size_t>(mixed.unit)];
    made.first = {mixed.spot, 0, named.unit, named.block, named.core_idx, named.type, Agent::S, Way::reads, 0};
    made.met = mixed.times;
    findings.add(std::move(made));
    doubt(Doubt::mixed_flags, core, here);
}

void LaunchCheck::executed(Core& core, const Head& head, const Ranges& touched) {
    if (is_off_) return;
    const Row& row = row_of(head.op);
    tpipes_[static_cast<size_t>(core.unit)].ran(head.pipe);
    if (handles_data(row.kind)) {
        data(core, head, touched);
        if (head.op == Op::hccl_commit) commit(core, reinterpret_cast<const HcclTask&>(head));
        return;
    }
    if (is_scalar_access(head.op)) return scalar(core, reinterpret_cast<const ScalarAccess&>(head), touched);
    if (taping_) write_control(core, head, touched);
    if (row.kind == Class::control || row.kind == Class::scalar) control(core, head, touched);
}

void LaunchCheck::control(Core& core, const Head& head, const Ranges& touched) {
    CoreCheck& checked = of(core);
    const Spot here = spot(core, head);
    const auto& flag = reinterpret_cast<const Flag&>(head);
    switch (head.op) {
    case Op::set_flag:
    case Op::cross_set:
    case Op::next_task_start:
    case Op::post_message:
        handed_in_[static_cast<size_t>(core.unit)] &= static_cast<uint8_t>(~(1u << static_cast<int>(head.pipe)));
        if (advice_ && head.op != Op::set_flag) advice_->signalled(core, head.pipe);
        return;
    case Op::wait_flag:
        if (flag.src != flag.dst) checked.order.wait_flag(flag.src, flag.dst, flag.id);
        return checked.synchronised({SyncMark::wait, flag.src, flag.dst, flag.id}, here);
    case Op::pipe_barrier:
        if (head.pipe == Pipe::ALL) checked.order.barrier_all();
        else checked.order.barrier(head.pipe);
        if (advice_) advice_->barrier(core, head.pipe, here);
        return checked.synchronised({SyncMark::barrier, head.pipe, head.pipe}, here);
    case Op::cross_wait: {
        const auto& across = reinterpret_cast<const CrossFlag&>(head);
        cross_.wait(core.unit, across.id, checked.order);
        return checked.synchronised({SyncMark::cross_wait, Pipe::S, Pipe::S, across.id}, here);
    }
    case Op::take_message:
        cross_.take(letter_box(core.unit, unit_of_peer(core, reinterpret_cast<const MessageHead&>(head).peer)), core.unit, checked.order);
        return;
    case Op::hccl_wait: return hear_rounds(core, reinterpret_cast<const HcclTask&>(head), reinterpret_cast<const HcclTask&>(head).round);
    case Op::hccl_query: return hear_rounds(core, reinterpret_cast<const HcclTask&>(head), reinterpret_cast<const HcclTask&>(head).value);
    case Op::dsb: return checked.barrier_of_scalar(reinterpret_cast<const ScalarAccess&>(head).value);
    case Op::dcci:
        for (const Bytes& each : touched) checked.clean(here, each.begin, each.end());
        return;
    case Op::merged_result:
    case Op::gathered_result:
    case Op::sum_result:
    case Op::extreme_result: return read_result(core, head);
    case Op::system_cycle: return doubt(Doubt::time, core, here);
    default:
        if (is_soft_sync(head.op)) pass(core, head, touched);
    }
}

// --- Hccl: what the server reads and writes of this rank's memory is the committing core's, on its scalar unit, until somebody has waited

void LaunchCheck::commit(Core& core, const HcclTask& task) {
    cross_.arrive(collective_box(task), task.round, core.unit, of(core).order.signal(Pipe::S));
}

void LaunchCheck::hear_rounds(Core& core, const HcclTask& task, uint64_t rounds) {
    for (uint64_t round = 1; round <= rounds && round < 256; round++) cross_.pass(collective_box(task), round, core.unit, of(core).order);
}

// --- synchronisation through global memory: both ends are barriers of all pipes

void LaunchCheck::arrive(Core& core, const Head& head) {
    CoreOrder& order = of(core).order;
    const auto& sync = reinterpret_cast<const GmSync&>(head);
    order.barrier_all();
    Round& round = rounds_[static_cast<size_t>(core.unit)][sync.gm.addr];
    switch (head.op) {
    case Op::gm_sync_all:
    case Op::group_arrive: return cross_.arrive(sync.gm.addr, ++round.arrived, core.unit, order.control());
    case Op::ib_set: return cross_.post(event_box(core, sync, true), core.unit, order.control());
    case Op::pre_block_notify: return cross_.arrive(sync.gm.addr, 0, core.unit, order.control());
    default: return;
    }
}

void LaunchCheck::pass(Core& core, const Head& head, const Ranges& touched) {
    CoreCheck& checked = of(core);
    const auto& sync = reinterpret_cast<const GmSync&>(head);
    Round& round = rounds_[static_cast<size_t>(core.unit)][sync.gm.addr];
    switch (head.op) {
    case Op::gm_sync_all: cross_.pass(sync.gm.addr, round.arrived, core.unit, checked.order); break;
    case Op::group_wait: cross_.pass(sync.gm.addr, ++round.passed, core.unit, checked.order); break;
    case Op::pre_block_wait: cross_.pass(sync.gm.addr, 0, core.unit, checked.order); break;
    case Op::ib_set: cross_.take(event_box(core, sync, false), core.unit, checked.order); break; // the wait that emptied the slot
    case Op::ib_wait:
        cross_.take(event_box(core, sync, true), core.unit, checked.order);
        cross_.post(event_box(core, sync, false), core.unit, checked.order.control());
        break;
    default: break;
    }
    const Spot here = spot(core, head);
    for (const Bytes& each : touched) checked.scalar(here, {Memory::GM, way_of(each.role), each.operand, kSyncWord, 0, each}, false, true);
    checked.synchronised({SyncMark::other, Pipe::ALL, Pipe::ALL}, here);
}

// --- the scalar unit

void LaunchCheck::publish(Core& core, const ScalarAccess& access) {
    if (access.way != ScalarWay::past_cache) return;
    cross_.publish(access.at.addr, access.value & bits_of_size(size_of(access.head.dtype)), core.unit, of(core).order.control());
}

void LaunchCheck::scalar(Core& core, const ScalarAccess& access, const Ranges& touched) {
    TapeEvent unused, &event = taping_ ? taping_->event(core, access.head, true) : unused;
    if (access.way == ScalarWay::system || !touched.size()) return;
    CoreCheck& checked = of(core);
    const Spot here = spot(core, access.head);
    const bool loads = access.head.op == Op::scalar_load || access.head.op == Op::raw_load,
               global = access.at.memory == static_cast<uint64_t>(Memory::GM), past_cache = access.way == ScalarWay::past_cache;
    const bool raw = access.way == ScalarWay::raw, flushes = global && core.in_superkernel && access.way == ScalarWay::value;
    const bool listed = !raw && !past_cache && (!global || loads || access.way == ScalarWay::element);
    const uint64_t bytes = touched.size() ? touched.begin()->length : size_of(access.head.dtype);
    if (flushes && loads) checked.clean(here, access.at.addr / kLine * kLine, access.at.addr / kLine * kLine + kLine);
    const auto marks = static_cast<uint8_t>((raw ? kRaw : 0) | (past_cache ? kSyncWord : 0));
    const Touch touch{static_cast<Memory>(access.at.memory), loads ? Way::reads : Way::writes, 0, marks, 0, {access.at.addr, bytes, 1, 0}};
    checked.scalar(here, touch, listed, past_cache);
    if (taping_) {
        event.kind = TapeEvent::Kind::scalar;
        event.listed = listed;
        event.past_cache = past_cache;
        taping_->touch(core, event, &touch, 1);
    }
    if (loads) steer(core, here);
    look_at_values(core, access.head, touched);
    if (flushes && !loads) checked.clean(here, access.at.addr / kLine * kLine, access.at.addr / kLine * kLine + kLine);
    if (!past_cache || !loads) return;
    if (cross_.poll(access.at.addr, access.value & bits_of_size(bytes), core.unit, checked.order)) doubt(Doubt::polling, core, here);
}

void LaunchCheck::read_result(Core& core, const Head& head) {
    for (const Touch& each : registers_read_by(head)) of(core).scalar(spot(core, head), each, true, false);
}

// --- data

void LaunchCheck::data(Core& core, const Head& head, const Ranges& all) {
    thread_local std::vector<Touch> touches;
    thread_local Ranges exact_room, room;
    const Ranges& touched = without_repeats(exact(core, head, all, exact_room), room);
    touches_of(head, touched, *core.memory, touches);
    if (taping_) {
        TapeEvent& event = taping_->event(core, head, true);
        event.kind = TapeEvent::Kind::data;
        event.orders_itself = orders_itself(head);
        taping_->touch(core, event, touches.data(), touches.size());
    }
    const Spot here = spot(core, head);
    of(core).run(agent_of(head.pipe), here, touches, orders_itself(head));
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
