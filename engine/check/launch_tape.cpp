// SPDX-License-Identifier: Apache-2.0
#include "aclimb/op.h"
#include "check/launch_check.h"
#include "check/launch_parts.h"
#include "check/touches.h"

namespace aclimb::check {

// What orders, as the tape has it.
void LaunchCheck::write_control(Core& core, const Head& head, const Ranges& touched) {
    using Kind = TapeEvent::Kind;
    TapeEvent& event = taping_->event(core, head, true);
    const auto& flag = reinterpret_cast<const Flag&>(head);
    const auto& across = reinterpret_cast<const CrossFlag&>(head);
    switch (head.op) {
    case Op::set_flag:
    case Op::wait_flag:
        event.kind = head.op == Op::set_flag ? Kind::set_flag : Kind::wait_flag;
        if (flag.src == flag.dst) event.kind = head.op == Op::set_flag ? Kind::barrier : Kind::nothing;
        event.src = flag.src;
        event.dst = flag.dst;
        event.id = flag.id;
        return;
    case Op::pipe_barrier: event.kind = Kind::barrier; return;
    case Op::cross_set:
    case Op::cross_wait:
        event.kind = head.op == Op::cross_set ? Kind::cross_set : Kind::cross_wait;
        event.mode = across.mode;
        event.id = across.id;
        return;
    case Op::next_task_start:
        if (!sets_early(core)) return;
        event.kind = Kind::cross_set;
        event.id = flag_of_all(core.core_type);
        return;
    case Op::post_message:
    case Op::take_message: {
        const int32_t peer = unit_of_peer(core, reinterpret_cast<const MessageHead&>(head).peer);
        event.kind = head.op == Op::post_message ? Kind::post : Kind::take;
        event.box = head.op == Op::post_message ? letter_box(peer, core.unit) : letter_box(core.unit, peer);
        return;
    }
    case Op::gm_sync_all:
        event.kind = Kind::arrive;
        event.box = reinterpret_cast<const GmSync&>(head).gm.addr;
        event.round = rounds_[static_cast<size_t>(core.unit)][event.box].arrived;
        return;
    case Op::dcci:
        for (const Bytes& each : touched) {
            const Touch line{Memory::GM, Way::reads, 0, 0, 0, each};
            event.kind = Kind::clean;
            taping_->touch(core, event, &line, 1);
        }
        return;
    case Op::dsb:
        event.kind = Kind::scalar_barrier;
        event.round = reinterpret_cast<const ScalarAccess&>(head).value;
        return;
    default:
        if (is_soft_sync(head.op)) doubt(Doubt::not_on_tape, core, spot(core, head));
    }
}

} // namespace aclimb::check
