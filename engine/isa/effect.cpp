// SPDX-License-Identifier: Apache-2.0
#include "isa/effect.h"

#include "aclimb/op.h"

namespace aclimb {
namespace {

constexpr uint64_t kSlotBytes = 32; // of a word that cores poll
constexpr uint64_t kEmptied = 1;    // beside a slot's address: the box of those who wait until it is empty

template <class Record> const Record& as(const Head& head) { return reinterpret_cast<const Record&>(head); }

int64_t cores_of(const Actor& actor) { return actor.view.block_num * actor.view.task_ratio; }

// --- flags and barriers

Effect flag(const Head& head) {
    Effect made;
    made.src = as<Flag>(head).src;
    made.dst = as<Flag>(head).dst;
    made.id = as<Flag>(head).id;
    return made;
}

Effect set_flag(const Head& head) {
    Effect made = flag(head);
    made.signals = Meet::flag;
    if (made.src != made.dst) return made;
    made.is_barrier = true; // of its pipe: SetFlag<V_V>, SetFlag<FIX_FIX>
    made.after = bit_of(made.src);
    return made;
}

Effect wait_flag(const Head& head) {
    Effect made = flag(head);
    made.waits = Meet::flag;
    return made;
}

Effect barrier_of(uint8_t pipes) {
    Effect made;
    made.is_barrier = true;
    made.after = pipes;
    return made;
}

Effect cross(const Head& head, bool sets) {
    Effect made;
    (sets ? made.signals : made.waits) = Meet::cross;
    made.mode = as<CrossFlag>(head).mode;
    made.id = as<CrossFlag>(head).id;
    made.is_of_plan = as<CrossFlag>(head).sync_all == 2;
    return made;
}

// --- words of global memory: each of these calls is a barrier of all pipes too

Effect soft(Meet waits, Meet signals, uint64_t place) {
    Effect made = barrier_of(kAllPipes);
    made.is_soft = true;
    made.waits = waits;
    made.signals = signals;
    made.waits_at = made.signals_at = place;
    made.round = made.step = 1;
    return made;
}

Effect sync_all(const Actor& actor, const GmSync& sync) {
    Effect made = soft(Meet::round, Meet::round, sync.gm.addr);
    made.arrivals = static_cast<uint32_t>(sync.used_cores > 0 ? sync.used_cores : cores_of(actor));
    return made;
}

// A word holds one event: IBSet waits until the one before was taken.
Effect block_event(const Actor& actor, const GmSync& sync, bool sets) {
    const int64_t number = sync.event_id * cores_of(actor) + sync.block_idx;
    Effect made = soft(Meet::box, Meet::box, sync.gm.addr + static_cast<uint64_t>(number) * kSlotBytes);
    (sets ? made.waits_at : made.signals_at) += kEmptied;
    made.round = !sets; // the first IBSet finds it empty
    return made;
}

// Turn by turn: the k-th round of a core is the turn k * cores + its index, and its notice is for the next.
Effect turn(const Actor& actor, const GmSync& sync, bool waits) {
    Effect made = soft(waits ? Meet::round : Meet::nothing, waits ? Meet::nothing : Meet::round, sync.gm.addr);
    made.round = static_cast<uint32_t>(actor.core_idx + !waits);
    made.step = static_cast<uint32_t>(cores_of(actor));
    made.arrivals = 1;
    return made;
}

Effect group(const GmSync& sync, bool waits) {
    Effect made = soft(waits ? Meet::round : Meet::nothing, waits ? Meet::nothing : Meet::round, sync.gm.addr);
    made.arrivals = static_cast<uint32_t>(sync.used_cores);
    return made;
}

Effect begin_turns(const GmSync& sync) {
    Effect made = soft(Meet::nothing, Meet::nothing, sync.gm.addr);
    made.restarts = true;
    return made;
}

// --- messages, and the server of Hccl

Effect message(const Actor& actor, const Head& head, bool posts) {
    constexpr uint64_t kLetter = uint64_t{1} << 63;
    const int32_t peer = as<MessageHead>(head).peer, other = peer == kToCube ? actor.first_unit : actor.first_aiv + peer;
    const int32_t to = posts ? other : actor.unit, from = posts ? actor.unit : other;
    Effect made;
    (posts ? made.signals : made.waits) = Meet::box;
    made.waits_at = made.signals_at = kLetter | static_cast<uint64_t>(to) << 32 | static_cast<uint32_t>(from);
    made.round = 1;
    return made;
}

// A commit counts when it has run, and covers what the server does for it. Wait and Query hear of all rounds up to theirs.
Effect collective(const Head& head, Meet waits, Meet signals, uint64_t round) {
    constexpr uint64_t kCollective = uint64_t{3} << 60;
    Effect made;
    made.after = kAllPipes;
    made.waits = waits;
    made.signals = signals;
    made.waits_at = made.signals_at =
        kCollective | uint64_t{as<HcclTask>(head).group} << 32 | static_cast<uint32_t>(as<HcclTask>(head).handle);
    made.round = static_cast<uint32_t>(round);
    made.arrivals = 1;
    return made;
}

// --- the scalar unit

// In the compiler's list: GetValue and t(i) of any tensor, SetValue of a local one. Not GlobalTensor::SetValue, nor what passes the data
// cache by, nor plain pointers; and nothing on an AIC.
Effect access(const Actor& actor, const Head& head) {
    const auto& it = as<ScalarAccess>(head);
    Effect made;
    made.loads = reads(row_of(head.op).operand[0].role);
    made.stores = !made.loads;
    made.is_system = it.way == ScalarWay::system;
    made.is_raw = it.way == ScalarWay::raw;
    made.passes_cache = it.way == ScalarWay::past_cache;
    const bool global = it.at.memory == static_cast<uint64_t>(Memory::GM), is_value = it.way == ScalarWay::value;
    made.is_listed = actor.view.core_type == CoreType::AIV && (it.way == ScalarWay::element || (is_value && !(made.stores && global)));
    made.flushes = global && is_value && actor.view.in_superkernel;
    if (made.passes_cache) (made.loads ? made.waits : made.signals) = Meet::word;
    return made;
}

Effect result(const Actor& actor) {
    Effect made;
    made.reads_results = true;
    made.is_listed = actor.view.core_type == CoreType::AIV;
    return made;
}

// --- the cube: with its unit flag a Fixpipe waits for the Mmads before it, and an Mmad for the Fixpipes before it

Effect product(const Mmad& mmad) {
    Effect made;
    made.has_unit_flag = mmad.unit_flag != 0;
    if (made.has_unit_flag) made.after = bit_of(Pipe::FIX);
    made.follows_sums = !mmad.init && ((mmad.m + 15) / 16) * ((mmad.n + 15) / 16) >= 10; // one that begins anew is no continuation
    return made;
}

Effect taken_out(const Fixpipe& fixpipe) {
    Effect made;
    made.has_unit_flag = fixpipe.unit_flag != 0;
    if (made.has_unit_flag) made.after = bit_of(Pipe::M);
    return made;
}

// The model runs it where nothing is left to do; on a chip it orders nothing.
Effect when_idle() {
    Effect made;
    made.after = kAllPipes;
    return made;
}

} // namespace

Effect effect_of(const Actor& actor, const Head& head) {
    Effect made;
    switch (head.op) {
    case Op::set_flag: return set_flag(head);
    case Op::wait_flag: return wait_flag(head);
    case Op::pipe_barrier: return barrier_of(head.pipe == Pipe::ALL ? kAllPipes : bit_of(head.pipe));
    case Op::cross_set: return cross(head, true);
    case Op::cross_wait: return cross(head, false);
    case Op::next_task_start: made.is_early_set = true; return made;
    case Op::pre_task_end: made.is_early_wait = true; return made; // the plan's own flags follow
    case Op::sub_kernel: made.is_boundary = true; return made;
    case Op::gm_sync_all: return sync_all(actor, as<GmSync>(head));
    case Op::ib_set: return block_event(actor, as<GmSync>(head), true);
    case Op::ib_wait: return block_event(actor, as<GmSync>(head), false);
    case Op::pre_block_init: return begin_turns(as<GmSync>(head));
    case Op::pre_block_wait: return turn(actor, as<GmSync>(head), true);
    case Op::pre_block_notify: return turn(actor, as<GmSync>(head), false);
    case Op::group_arrive: return group(as<GmSync>(head), false);
    case Op::group_wait: return group(as<GmSync>(head), true);
    case Op::post_message: return message(actor, head, true);
    case Op::take_message: return message(actor, head, false);
    case Op::hccl_commit: return collective(head, Meet::nothing, Meet::round, as<HcclTask>(head).round);
    case Op::hccl_wait: return collective(head, Meet::round, Meet::nothing, as<HcclTask>(head).round);
    case Op::hccl_query: return collective(head, Meet::round, Meet::nothing, as<HcclTask>(head).value);
    case Op::scalar_load:
    case Op::scalar_store:
    case Op::raw_load:
    case Op::raw_store: return access(actor, head);
    case Op::merged_result:
    case Op::gathered_result:
    case Op::sum_result:
    case Op::extreme_result: return result(actor);
    case Op::dcci: made.cleans = true; return made;
    case Op::dsb:
        made.is_scalar_barrier = true;
        made.scope = static_cast<uint8_t>(as<ScalarAccess>(head).value);
        return made;
    case Op::system_cycle: made.reads_clock = true; return made;
    case Op::mmad:
    case Op::mmad_sparse: return product(as<Mmad>(head));
    case Op::fixpipe: return taken_out(as<Fixpipe>(head));
    case Op::next_sender:
    case Op::init_buffer:
    case Op::misuse:
    case Op::get_hccl_context:
    case Op::set_hccl_context: return made;
    default: return handles_data(row_of(head.op).kind) ? made : when_idle();
    }
}

void Rounds::count(Effect& effect) {
    if (!effect.meets_by_count()) return;
    const bool signals = effect.signals != Meet::nothing;
    Place& at = places_[signals ? effect.signals_at : effect.waits_at];
    if (effect.restarts) {
        at = {0, 0, at.begun + 1};
        return;
    }
    effect.round += effect.step * (signals ? at.signals : at.waits)++;
    effect.waits_at += at.begun; // rounds of another beginning are others
    effect.signals_at += at.begun;
}

} // namespace aclimb
