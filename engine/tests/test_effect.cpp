// SPDX-License-Identifier: Apache-2.0
// What each instruction orders, as isa/effect.h states it once for all readers.
#include "check.h"
#include "isa/effect.h"
#include "run.h"

using namespace aclimb;

namespace {

// AIV 5 of 8, in block 2 of a 1:2 kernel.
struct On {
    CoreView view{};
    On() {
        view.core_type = CoreType::AIV;
        view.block_num = 4;
        view.task_ratio = 2;
    }
    Actor actor() const { return {view, 8, 6, 7, 5}; }
    Effect of(const Head& head) const { return effect_of(actor(), head); }
};

template <class Record> Record record(Op op, Pipe pipe) {
    Record made{};
    Head& head = reinterpret_cast<Head&>(made);
    head.op = op;
    head.pipe = pipe;
    head.size = sizeof made;
    return made;
}

GmSync words(Op op, int32_t used = 0, int32_t block = 0, int32_t event = 0) {
    auto made = record<GmSync>(op, Pipe::S);
    made.gm.addr = 4096;
    made.used_cores = used;
    made.block_idx = block;
    made.event_id = event;
    return made;
}

ScalarAccess access(Op op, ScalarWay way, Memory memory) {
    auto made = record<ScalarAccess>(op, Pipe::S);
    made.way = way;
    made.at.memory = static_cast<uint64_t>(memory);
    return made;
}

} // namespace

// An instruction that is added as control and says nothing of order would pass as one that orders nothing.
TEST(every_control_row_states_what_it_orders) {
    On on;
    for (int op = 0; op < kRowCount; op++) {
        const Row& row = kRows[op];
        if (row.kind != Class::control) continue;
        std::vector<uint64_t> bytes(row.record_size / 8 + 1);
        Head& head = *reinterpret_cast<Head*>(bytes.data());
        head.op = static_cast<Op>(op);
        head.pipe = row.pipe == Pipe::ALL ? Pipe::V : row.pipe;
        const Effect effect = on.of(head);
        const bool states = effect.orders() || effect.is_early_set || effect.is_early_wait || effect.is_boundary;
        const bool prepares =
            effect.after == kAllPipes || head.op == Op::next_sender; // Hccl's calls before a commit; whose message is next
        CHECK(states || prepares);
    }
}

TEST(a_flag_signals_in_one_pipe_and_is_waited_for_in_the_other) {
    On on;
    auto flag = record<Flag>(Op::set_flag, Pipe::MTE2);
    flag.src = Pipe::MTE2;
    flag.dst = Pipe::V;
    flag.id = 3;
    Effect effect = on.of(flag.head);
    CHECK(effect.signals == Meet::flag && effect.waits == Meet::nothing && !effect.is_barrier);
    CHECK(effect.src == Pipe::MTE2 && effect.dst == Pipe::V && effect.id == 3);
    flag.head.op = Op::wait_flag;
    effect = on.of(flag.head);
    CHECK(effect.waits == Meet::flag && effect.signals == Meet::nothing);
    flag.head.op = Op::set_flag;
    flag.src = Pipe::V; // E11: SetFlag<V_V> is the barrier of V
    CHECK(on.of(flag.head).is_barrier && on.of(flag.head).after == bit_of(Pipe::V));
}

TEST(a_soft_sync_all_is_a_barrier_and_a_round_of_all_cores) {
    On on;
    Effect effect = on.of(words(Op::gm_sync_all).head);
    CHECK(effect.is_soft && effect.is_barrier && effect.after == kAllPipes);
    CHECK(effect.waits == Meet::round && effect.signals == Meet::round && effect.arrivals == 8);
    CHECK(on.of(words(Op::gm_sync_all, 3).head).arrivals == 3);
    Rounds rounds;
    for (uint32_t round = 1; round <= 3; round++) {
        effect = on.of(words(Op::gm_sync_all).head);
        rounds.count(effect);
        CHECK(effect.round == round);
    }
}

TEST(a_word_holds_one_event) { // E25: the first IBSet finds its word empty, the next waits until it was taken
    On on;
    Rounds setter, waiter;
    for (uint32_t i = 0; i < 3; i++) {
        Effect set = on.of(words(Op::ib_set, 0, 2, 1).head), wait = on.of(words(Op::ib_wait, 0, 2, 1).head);
        setter.count(set);
        waiter.count(wait);
        CHECK(set.signals_at == 4096 + (1 * 8 + 2) * 32 && wait.waits_at == set.signals_at);
        CHECK(wait.signals_at == set.waits_at && set.waits_at != set.signals_at);
        CHECK((set.round == 0) == (i == 0) && wait.round == i + 1);
    }
}

TEST(turns_go_round_the_cores) { // E26: the k-th turn of core 5 of 8 is turn 8 k + 5, and its notice is for the next
    On on;
    Rounds rounds;
    for (uint32_t k = 0; k < 3; k++) {
        Effect wait = on.of(words(Op::pre_block_wait).head), notify = on.of(words(Op::pre_block_notify).head);
        rounds.count(wait);
        rounds.count(notify);
        CHECK(wait.round == 8 * k + 5 && notify.round == 8 * k + 6 && wait.waits_at == notify.signals_at);
    }
    Effect first = on.of(words(Op::pre_block_wait).head), begin = on.of(words(Op::pre_block_init).head), again = first;
    rounds.count(begin);
    rounds.count(again);
    CHECK(again.round == 5 && again.waits_at != first.waits_at); // turns of another beginning are others
}

TEST(a_group_waits_for_all_that_arrive) {
    On on;
    const Effect arrive = on.of(words(Op::group_arrive, 3, 1, 2).head), wait = on.of(words(Op::group_wait, 3, 1, 2).head);
    CHECK(arrive.signals == Meet::round && arrive.waits == Meet::nothing);
    CHECK(wait.waits == Meet::round && wait.signals == Meet::nothing && wait.arrivals == 3 && wait.waits_at == arrive.signals_at);
}

TEST(a_message_goes_to_a_core_of_the_own_block) {
    On on;
    auto message = record<MessageHead>(Op::post_message, Pipe::S);
    message.peer = kToCube;
    const Effect post = on.of(message.head);
    message.head.op = Op::take_message;
    const Effect take = on.of(message.head);
    CHECK(post.signals == Meet::box && take.waits == Meet::box && post.signals_at != take.waits_at); // two directions
    Actor aic = on.actor();
    aic.unit = 6;
    message.peer = 1; // the second AIV of that block: unit 8
    CHECK(effect_of(aic, message.head).waits_at == post.signals_at);
}

TEST(what_is_said_to_order_nothing_orders_nothing) { // the short way that cores take
    On on;
    for (int op = 0; op < kRowCount; op++) {
        if (!orders_nothing(kRows[op])) continue;
        std::vector<uint64_t> bytes(kRows[op].record_size / 8 + 1);
        Head& head = *reinterpret_cast<Head*>(bytes.data());
        head.op = static_cast<Op>(op);
        CHECK(on.of(head) == Effect());
    }
}

TEST(the_compiler_orders_the_accesses_of_its_list) {
    On on;
    const auto listed = [&](Op op, ScalarWay way, Memory memory) { return on.of(access(op, way, memory).head).is_listed; };
    CHECK(listed(Op::scalar_load, ScalarWay::value, Memory::UB) && listed(Op::scalar_store, ScalarWay::value, Memory::UB));
    CHECK(listed(Op::scalar_load, ScalarWay::value, Memory::GM) && listed(Op::scalar_store, ScalarWay::element, Memory::GM));
    CHECK(!listed(Op::scalar_store, ScalarWay::value, Memory::GM)); // GlobalTensor::SetValue is not in the list
    CHECK(!listed(Op::raw_load, ScalarWay::raw, Memory::GM) && !listed(Op::scalar_load, ScalarWay::past_cache, Memory::GM));
    on.view.core_type = CoreType::AIC;
    CHECK(!listed(Op::scalar_load, ScalarWay::value, Memory::GM));
}

TEST(ten_fractals_follow_the_sums_before_them) { // E17
    On on;
    auto mmad = record<Mmad>(Op::mmad, Pipe::M);
    mmad.m = 16;
    mmad.n = 16 * 9;
    CHECK(!on.of(mmad.head).follows_sums);
    mmad.n = 16 * 10;
    CHECK(on.of(mmad.head).follows_sums);
    mmad.init = 1;
    CHECK(!on.of(mmad.head).follows_sums);
    mmad.unit_flag = 2;
    CHECK(on.of(mmad.head).has_unit_flag && on.of(mmad.head).after == bit_of(Pipe::FIX));
}
