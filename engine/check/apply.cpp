// SPDX-License-Identifier: Apache-2.0
#include "check/apply.h"

#include "check/cache.h"

namespace aclimb::check {

CrossOrder::Mixed signal(CoreCheck& core, CrossOrder& cores, const Effect& effect, Pipe pipe, const Spot& here) {
    CoreOrder& order = core.order;
    if (effect.is_soft) order.barrier_all();
    switch (effect.signals) {
    case Meet::flag:
        if (effect.is_barrier) order.barrier(effect.src);
        else order.set_flag(effect.src, effect.dst, effect.id);
        break;
    case Meet::cross: return cores.set(core.unit, effect.mode, effect.id, {order.signal(pipe), pipe, here});
    case Meet::box: cores.post(effect.signals_at, core.unit, order.signal(pipe)); break;
    case Meet::round: cores.arrive(effect.signals_at, effect.round, core.unit, order.signal(pipe)); break;
    case Meet::word:
    case Meet::nothing: break;
    }
    return {};
}

void hear(CoreCheck& core, CrossOrder& cores, const Effect& effect) {
    switch (effect.waits) {
    case Meet::flag:
        if (effect.src != effect.dst) core.order.wait_flag(effect.src, effect.dst, effect.id); // else its set was a barrier
        break;
    case Meet::cross: cores.wait(core.unit, effect.id, core.order); break;
    case Meet::box:
        if (effect.round) cores.take(effect.waits_at, core.unit, core.order);
        break;
    case Meet::round: cores.pass(effect.waits_at, effect.round, core.unit, core.order); break;
    case Meet::word:
    case Meet::nothing: break;
    }
}

void barrier(CoreOrder& order, const Effect& effect) {
    if (!effect.is_barrier || effect.is_soft || effect.signals != Meet::nothing) return; // those come with their signal
    if (effect.after == kAllPipes) return order.barrier_all();
    order.barrier(static_cast<Pipe>(__builtin_ctz(effect.after)));
}

void touch(CoreCheck& core, const Effect& effect, Pipe pipe, const Spot& here, const std::vector<Touch>& touches) {
    if (handles_data(row_of(here.op).kind)) return core.run(agent_of(pipe), here, touches, effect.follows_sums);
    if (effect.is_scalar_barrier) core.barrier_of_scalar(effect.scope);
    for (const Touch& each : touches) {
        const uint64_t line = each.bytes.begin / kLine * kLine;
        if (effect.cleans) {
            core.clean(here, each.bytes.begin, each.bytes.end());
            continue;
        }
        if (effect.flushes && effect.loads) core.clean(here, line, line + kLine);
        core.scalar(here, each, effect.is_listed, effect.passes_cache || effect.is_soft);
        if (effect.flushes && effect.stores) core.clean(here, line, line + kLine);
    }
}

std::optional<SyncMark> mark_of(const Effect& effect, Pipe pipe) {
    if (effect.is_soft) return SyncMark{SyncMark::other, Pipe::ALL, Pipe::ALL};
    if (effect.signals == Meet::flag) return SyncMark{SyncMark::set, effect.src, effect.dst, effect.id};
    if (effect.waits == Meet::flag) return SyncMark{SyncMark::wait, effect.src, effect.dst, effect.id};
    if (effect.signals == Meet::cross) return SyncMark{SyncMark::cross_set, pipe, pipe, effect.id, effect.mode};
    if (effect.waits == Meet::cross) return SyncMark{SyncMark::cross_wait, Pipe::S, Pipe::S, effect.id};
    if (effect.is_barrier) return SyncMark{SyncMark::barrier, pipe, pipe};
    return std::nullopt;
}

} // namespace aclimb::check
