// SPDX-License-Identifier: Apache-2.0
// The tape runs again, without data: an event whose pipe has nothing pending runs when it is issued, one that finds its pipe at a wait runs
// when the flag comes.
#include <deque>
#include <set>

#include "check/apply.h"
#include "check/judge.h"
#include "check/tape.h"

namespace aclimb::check {
namespace {

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
            if (event.effect.signals == Meet::round) expected_[{event.effect.signals_at, event.effect.round}]++;
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
        std::set<uint32_t> told; // events whose signal was given before their wait
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
        const Effect& effect = event.effect;
        if (effect.is_barrier && effect.after == kAllPipes && !is_idle(core)) return false;
        if (effect.is_soft && core.told.insert(index).second) signal(*core.check, cross_, effect, event.pipe, event.spot);
        switch (effect.waits) {
        case Meet::flag: return core.check->order.is_set(effect.src, effect.dst, effect.id);
        case Meet::cross: return cross_.has_token(core.check->unit, effect.id);
        case Meet::box: return !effect.round || cross_.has_post(effect.waits_at);
        case Meet::round: return has_met(effect.waits_at, effect.round);
        default: return true;
        }
    }
    static bool is_idle(const Running& core) {
        return std::all_of(std::begin(core.queues), std::end(core.queues), [](const auto& queue) { return queue.empty(); });
    }
    bool has_met(uint64_t place, uint32_t round) {
        const auto expected = expected_.find({place, round});
        return expected == expected_.end() || cross_.arrivals(place, round) == expected->second;
    }

    void execute(Running& core, const TapeEvent& event) {
        if (!event.has_run) return;
        CoreCheck& check = *core.check;
        const Effect& effect = event.effect;
        const bool is_data = handles_data(row_of(event.spot.op).kind);
        const auto first = core.tape->touches.begin() + event.first_touch;
        if (!is_data && !effect.is_soft) signal(check, cross_, effect, event.pipe, event.spot);
        hear(check, cross_, effect);
        barrier(check.order, effect);
        touch(check, effect, event.pipe, event.spot, {first, first + event.touches});
        if (is_data) signal(check, cross_, effect, event.pipe, event.spot);
    }

    const Options options_;
    Findings findings_;
    std::set<MemberPair> found_;
    CrossOrder cross_;
    std::vector<Running> cores_;
    std::map<std::pair<uint64_t, uint64_t>, uint32_t> expected_; // signals of each round
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
