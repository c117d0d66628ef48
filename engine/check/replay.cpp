// SPDX-License-Identifier: Apache-2.0
// The tape runs again, without data: an event whose pipe has nothing pending runs when it is issued, one that finds its pipe at a wait runs
// when the flag comes.
#include <deque>
#include <set>

#include "check/cross.h"
#include "check/judge.h"
#include "check/tape.h"

namespace aclimb::check {
namespace {

using Kind = TapeEvent::Kind;

// The order of a core's events when some are moved.
std::vector<uint32_t> edited(const CoreTape& tape, const std::vector<Move>& moves, int32_t unit) {
    std::vector<std::pair<double, uint32_t>> order;
    for (uint32_t i = 0; i < tape.events.size(); i++) {
        double at = i;
        for (const Move& move : moves) {
            const TapeEvent& event = tape.events[i];
            const bool meant = move.unit == unit && event.member == move.member && (move.is_set ? event.early_set : event.early_wait);
            if (meant) at = move.to - 0.5;
        }
        order.emplace_back(at, i);
    }
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<uint32_t> made;
    for (const auto& [at, index] : order) made.push_back(index);
    return made;
}

class Replay {
  public:
    Replay(const Options& options, int64_t blocks, int aics, int aivs)
        : options_(options), cross_(static_cast<int32_t>(blocks) * (aics + aivs), cross_groups(blocks, aics, aivs)) {
        findings_.each = [this](const Finding& each) {
            if (each.has_second) found_.insert({each.first.spot.sub, each.first.unit, each.second.spot.sub, each.second.unit});
        };
        const int per_block = aics + aivs;
        for (int32_t unit = 0; unit < blocks * per_block; unit++) {
            const CoreType type = unit % per_block < aics ? CoreType::AIC : CoreType::AIV;
            cores_.push_back(
                {std::make_unique<CoreCheck>(options_, findings_, unit, type, unit / per_block, unit), nullptr, {}, 0, {}, {}});
        }
    }

    void load(int32_t unit, const CoreTape& tape, std::vector<uint32_t> order) {
        cores_[static_cast<size_t>(unit)].tape = &tape;
        cores_[static_cast<size_t>(unit)].order = std::move(order);
        for (const TapeEvent& event : tape.events)
            if (event.kind == Kind::arrive) expected_[{event.box, event.round}]++;
    }

    bool run() { // false: stuck
        for (bool progress = true; progress;) {
            progress = false;
            for (Running& each : cores_) progress |= advance(each);
        }
        for (const Running& each : cores_)
            if (each.next < each.order.size()) return false;
        return true;
    }

    std::vector<MemberPair> pairs() {
        std::vector<std::unique_ptr<CoreCheck>> checks;
        for (Running& each : cores_) {
            each.check->end();
            checks.push_back(std::move(each.check));
        }
        judge_global(checks, false, findings_);
        return {found_.begin(), found_.end()};
    }

  private:
    struct Running {
        std::unique_ptr<CoreCheck> check;
        const CoreTape* tape;
        std::vector<uint32_t> order;
        size_t next;
        std::deque<uint32_t> queues[kPipes];
        std::set<uint32_t> arrived; // events whose arrival was told
    };

    bool advance(Running& core) {
        bool progress = false;
        while (core.next < core.order.size()) {
            const uint32_t index = core.order[core.next];
            const TapeEvent& event = core.tape->events[index];
            const int pipe = static_cast<int>(event.pipe);
            const bool queued = pipe > 0 && pipe < kPipes;
            if (queued && !core.queues[pipe].empty()) {
                core.check->order.issued(event.pipe);
                core.queues[pipe].push_back(index);
            } else {
                if (!queued && !can_run(core, event, index)) return progress;
                core.check->order.issued(event.pipe);
                if (queued && !can_run(core, event, index)) core.queues[pipe].push_back(index);
                else execute(core, event);
            }
            core.next++;
            progress = true;
            drain(core);
        }
        return progress;
    }

    void drain(Running& core) {
        for (bool again = true; again;) {
            again = false;
            for (auto& queue : core.queues)
                while (!queue.empty() && can_run(core, core.tape->events[queue.front()], queue.front())) {
                    execute(core, core.tape->events[queue.front()]);
                    queue.pop_front();
                    again = true;
                }
        }
    }

    bool can_run(Running& core, const TapeEvent& event, uint32_t index) {
        switch (event.kind) {
        case Kind::wait_flag: return core.check->order.is_set(event.src, event.dst, event.id);
        case Kind::cross_wait: return cross_.has_token(core.check->unit, event.id);
        case Kind::take: return cross_.has_post(event.box);
        case Kind::barrier: return event.pipe != Pipe::ALL || is_idle(core);
        case Kind::arrive: return is_idle(core) && arrive(core, event, index);
        default: return true;
        }
    }
    static bool is_idle(const Running& core) {
        return std::all_of(std::begin(core.queues), std::end(core.queues), [](const auto& queue) { return queue.empty(); });
    }
    bool arrive(Running& core, const TapeEvent& event, uint32_t index) {
        int& there = there_[{event.box, event.round}];
        if (core.arrived.insert(index).second) {
            core.check->order.barrier_all();
            cross_.arrive(event.box, event.round, core.check->unit, core.check->order.control());
            there++;
        }
        return there == expected_[{event.box, event.round}];
    }

    void execute(Running& core, const TapeEvent& event) {
        CoreCheck& check = *core.check;
        const Touch* first = core.tape->touches.data() + event.first_touch;
        switch (event.kind) {
        case Kind::data: return check.run(agent_of(event.pipe), event.spot, {first, first + event.touches}, event.orders_itself);
        case Kind::scalar: return check.scalar(event.spot, *first, event.listed, event.past_cache);
        case Kind::set_flag: return check.order.set_flag(event.src, event.dst, event.id);
        case Kind::wait_flag: check.order.wait_flag(event.src, event.dst, event.id); return;
        case Kind::barrier: return event.pipe == Pipe::ALL ? check.order.barrier_all() : check.order.barrier(event.pipe);
        case Kind::cross_set: cross_.set(check.unit, event.mode, event.id, {check.order.signal(event.pipe), event.pipe}); return;
        case Kind::cross_wait: return cross_.wait(check.unit, event.id, check.order);
        case Kind::post: return cross_.post(event.box, check.unit, check.order.signal(event.pipe));
        case Kind::take: cross_.take(event.box, check.unit, check.order); return;
        case Kind::arrive: return cross_.pass(event.box, event.round, check.unit, check.order);
        case Kind::clean: return check.clean(event.spot, first->bytes.begin, first->bytes.end());
        case Kind::scalar_barrier: return check.barrier_of_scalar(event.round);
        case Kind::nothing: return;
        }
    }

    const Options options_;
    Findings findings_;
    std::set<MemberPair> found_;
    CrossOrder cross_;
    std::vector<Running> cores_;
    std::map<std::pair<uint64_t, uint64_t>, int> expected_, there_;
};

} // namespace

std::vector<MemberPair> Tape::judge(const Options& options, const std::vector<Move>& moves, bool& stuck) const {
    Replay replay(options, blocks_, aics_, aivs_);
    for (int32_t unit = 0; unit < static_cast<int32_t>(cores_.size()); unit++)
        replay.load(unit, cores_[static_cast<size_t>(unit)], edited(cores_[static_cast<size_t>(unit)], moves, unit));
    stuck = !replay.run();
    return replay.pairs();
}

} // namespace aclimb::check
