// SPDX-License-Identifier: Apache-2.0
// The scheduler: which core a worker runs next.
#include "core/launch.h"

#include <algorithm>
#include <map>

#include "aclimb/op.h"
#include "core/fiber.h"
#include "core/futex.h"
#include "core/hang.h"
#include "core/plan.h"
#include "core/schedule.h"
#include "core/signal_fault.h"
#include "core/start.h"
#include "core/worker.h"
#include "isa/move.h"

namespace aclimb {
namespace {

// Each core has its own copy of the block-local variables; launches that have any run on one worker.
struct BlockLocal {
    std::vector<uint8_t> initial;
    std::vector<std::vector<uint8_t>> saved; // by unit
};

class Scheduler {
  public:
    Scheduler(Launch& launch, Worker& worker) : launch_(launch), worker_(worker) {}

    void run() {
        const UsualModes modes; // also where the program that synchronises has others
        worker_.limit_ns = launch_.limit_ns;
        worker_.running_since = launch_.started_ns;
        if (ACLIMB_UNLIKELY(launch_.schedule != nullptr)) run_scheduled();
        for (;;) {
            if (ACLIMB_UNLIKELY(!mine_.empty())) run_ready();
            const int32_t unit = claim();
            if (unit < launch_.units) {
                start(unit);
                wake_helpers();
            } else if (mine_.empty()) {
                break;
            } else {
                wait_for_progress();
            }
        }
        worker_.running_since = 0;
        flush_stores();
    }

  private:
    int32_t claim() {
        if (launch_.cancelled || launch_.next.load(std::memory_order_relaxed) >= launch_.units) return launch_.units;
        return launch_.next.fetch_add(1);
    }

    void start(int32_t unit) {
        CoreType type;
        int64_t block;
        int32_t sub;
        place_unit(launch_, unit, type, block, sub);
        Core* core = take_core(worker_, type, *launch_.chip);
        start_core(launch_, *core, unit, block, sub);
        core->sp = prepare_stack(core->stack, core_main, core);
        resume(core);
        if (!settle(core)) mine_.push_back(core);
    }

    void resume(Core* core) {
        core->state = CoreState::running;
        hand_over(core);
    }

    void hand_over(Core* core) {
        swap_block_local(core, true);
        worker_.current = core;
        worker_.running = launch_.id;
        if (ACLIMB_UNLIKELY(!core->modes.usual())) core->modes.apply();
        aclimb_switch(&worker_.scheduler_sp, core->sp);
        if (ACLIMB_UNLIKELY(core->state != CoreState::done)) left_halfway(core);
        use_usual_modes();
        worker_.running = 0;
        worker_.current = nullptr;
        swap_block_local(core, false);
    }

    // Not at the end of its kernel, which cleans up itself.
    static void left_halfway(Core* core) {
        clean_flags();
        if (core->state != CoreState::failed) core->modes = CpuModes::now(); // it comes back
    }

    // True: the core has ended and is back with the worker.
    bool settle(Core* core) {
        const CoreState state = core->state;
        if (state == CoreState::blocked || state == CoreState::ready) return false;
        if (state == CoreState::failed && core->fault.empty()) core->fault.push_back(fault_of_signal(*core, worker_.signal));
        if (ACLIMB_UNLIKELY(!stack_is_whole(core->stack, core))) core->fault.assign(1, stack_overrun(*core)); // explains the rest
        if (ACLIMB_UNLIKELY(!core->fault.empty())) {
            launch_.record(*core, std::move(core->fault[0]));
            core->fault.clear();
        }
        {
            std::lock_guard lock(launch_.mutex);
            launch_.finished++;
            if (state == CoreState::done && !launch_.schedule) check_hang(launch_);
        }
        return_core(worker_, core);
        return true;
    }

    // --- adversarial schedules: one worker, which chooses what goes on

    enum class Action : uint8_t { start, resume, drain };
    struct Choice {
        Action action;
        int32_t unit; // of a core to start
        Core* core;
    };

    void run_scheduled() {
        std::vector<int32_t> fresh(static_cast<size_t>(launch_.units));
        for (int32_t i = 0; i < launch_.units; i++) fresh[static_cast<size_t>(i)] = i;
        launch_.next = launch_.units;
        const bool random = launch_.schedule->mode == Schedule::random;
        std::vector<Choice> choices;
        while (!launch_.cancelled && (!fresh.empty() || !mine_.empty())) {
            choices.clear();
            for (Core* core : mine_)
                if (core->state == CoreState::ready) choices.push_back({Action::resume, core->unit, core});
            for (int32_t unit : fresh) choices.push_back({Action::start, unit, nullptr});
            if (random || choices.empty())
                for (Core* core : mine_)
                    if (core->state == CoreState::blocked && core->pending) choices.push_back({Action::drain, core->unit, core});
            if (choices.empty()) break;
            take(choices, fresh);
        }
        if (!launch_.cancelled) {
            std::lock_guard lock(launch_.mutex);
            check_hang(launch_);
        }
        for (Core* core : mine_) return_core(worker_, core); // only when the launch is cancelled
        mine_.clear();
    }

    void take(std::vector<Choice>& choices, std::vector<int32_t>& fresh) {
        Schedule& schedule = *launch_.schedule;
        if (schedule.mode == Schedule::random) {
            std::swap(choices[0], choices[schedule.below(static_cast<uint32_t>(choices.size()))]);
        } else {
            const bool reversed = schedule.mode == Schedule::early;
            auto before = [&](const Choice& a, const Choice& b) { return reversed ? a.unit > b.unit : a.unit < b.unit; };
            std::sort(choices.begin(), choices.end(), before);
            // A core that let others go first, because it polls, gets its turn after them.
            const auto after = std::find_if(choices.begin(), choices.end(), [&](const Choice& each) { return before(yielded_, each); });
            if (yielded_.unit >= 0 && after != choices.end()) std::swap(choices[0], *after);
        }
        if (choices[0].action != Action::drain) {
            go_on(choices[0], fresh);
            return;
        }
        // Where nothing else can go on, some pipe has to; when none can, that is a hang.
        for (const Choice& choice : choices)
            if (choice.action != Action::drain || drained(choice.core)) return;
        give_up(choices);
    }

    void go_on(const Choice& choice, std::vector<int32_t>& fresh) {
        if (choice.action == Action::start) {
            std::erase(fresh, choice.unit);
            start(choice.unit);
            return;
        }
        resume(choice.core);
        yielded_.unit = choice.core->state == CoreState::ready ? choice.unit : -1;
        if (settle(choice.core)) std::erase(mine_, choice.core);
    }

    // On the core's own stack: an instruction may fail.
    bool drained(Core* core) {
        core->asked.drain = true;
        core->asked.drained = 0;
        hand_over(core);
        const int ran = core->asked.drained;
        if (core->state != CoreState::blocked && core->state != CoreState::ready && settle(core)) {
            std::erase(mine_, core);
            return true;
        }
        return ran > 0;
    }

    void give_up(const std::vector<Choice>& choices) {
        for (const Choice& choice : choices)
            if (choice.core->wait.kind == Wait::tail) { // the pipes of a core that has ended: its own flags are at fault
                choice.core->asked.give_up = true;
                drained(choice.core);
                return;
            }
        std::lock_guard lock(launch_.mutex);
        check_hang(launch_);
        launch_.cancelled = true;
    }

    void run_ready() {
        for (size_t i = 0; i < mine_.size();) {
            Core* core = mine_[i];
            const bool ended = launch_.cancelled;
            if (ended) {
                forget(core);
                return_core(worker_, core);
            } else if (core->state == CoreState::ready) {
                resume(core);
                if (!settle(core)) {
                    i++;
                    continue;
                }
            } else {
                i++;
                continue;
            }
            mine_.erase(mine_.begin() + static_cast<ptrdiff_t>(i));
        }
    }

    // A core of another worker may still run, and set what this one waited for; by then it may belong to another launch.
    void forget(Core* core) {
        std::lock_guard lock(launch_.mutex);
        std::erase(launch_.waiting, core);
    }

    bool any_ready() const {
        if (launch_.cancelled) return true;
        for (const Core* core : mine_)
            if (core->state == CoreState::ready) return true;
        return false;
    }

    void wait_for_progress() {
        const uint32_t seen = launch_.progress;
        const uint64_t until = now_ns() + 20000;
        while (!any_ready()) {
            for (int i = 0; i < 32; i++) relax();
            if (now_ns() < until) continue;
            if (any_ready() || launch_.progress != seen) return;
            launch_.sleepers++;
            futex_wait(launch_.progress, seen, 50000000);
            launch_.sleepers--;
            return;
        }
    }

    void wake_helpers() {
        if (ACLIMB_LIKELY(!launch_.helpers_at_ns)) return;
        if (now_ns() < launch_.helpers_at_ns || launch_.next >= launch_.units) return;
        launch_.helpers_at_ns = 0;
        launch_.call_helpers();
    }

    void swap_block_local(Core* core, bool in) {
        for (Image* image : launch_.kernel->block_local[kind_index(core->core_type)]) swap_block_local(core, *image, in);
    }

    void swap_block_local(Core* core, Image& image, bool in) {
        BlockLocal& kept = block_local_[&image];
        const auto bytes = static_cast<size_t>(image.block_local_end - image.block_local);
        auto& initial = kept.initial;
        kept.saved.resize(static_cast<size_t>(launch_.units));
        auto& saved = kept.saved[static_cast<size_t>(core->unit)];
        if (in) {
            if (initial.empty()) initial.assign(image.block_local, image.block_local_end);
            memcpy(image.block_local, saved.empty() ? initial.data() : saved.data(), bytes);
        } else {
            saved.assign(image.block_local, image.block_local_end);
            memcpy(image.block_local, initial.data(), bytes);
        }
    }

    Launch& launch_;
    Worker& worker_;
    std::vector<Core*> mine_; // started here, not ended
    Choice yielded_{Action::resume, -1, nullptr};
    std::map<Image*, BlockLocal> block_local_;
};

} // namespace

void Launch::prepare() {
    static std::atomic<uint64_t> ids{0};
    id = ++ids;
    const int aics = aics_per_block(kernel->type), aivs = aivs_per_block(kernel->type);
    units = static_cast<int32_t>(num_blocks) * (aics + aivs);
    next = 0;
    cancelled = false;
    blocked = finished = setters_waiting = 0;
    waiting.clear();
    fault.reset();
    notes.clear();
    feeds.assign(kernel->plan ? kernel->plan->subs.size() : 0, Feed{});
    output.resize(static_cast<size_t>(units));
    if (armed()) cross.reset(num_blocks, aics, aivs);
}

void Launch::observe(std::shared_ptr<Observer> observer) {
    tells_executed |= observer->wants_executed();
    observers.insert(observers.end() - (schedule ? 1 : 0), std::move(observer));
}

void Launch::follow(const std::shared_ptr<Schedule>& chosen) {
    observers.push_back(chosen);
    schedule = chosen.get();
}

bool Launch::has_ended() {
    bool ended = true;
    for (const auto& each : observers) ended &= each->ended(*this);
    return ended;
}

void Launch::forget_observers() {
    observers.clear();
    schedule = nullptr;
    tells_executed = false;
}

void Launch::record(Core& core, Fault made) {
    std::lock_guard lock(mutex);
    if (!fault || core.unit < fault_unit) {
        fault = std::move(made);
        fault_unit = core.unit;
    }
    cancelled = true;
    notify();
}

void Launch::note(Fault made) {
    std::lock_guard lock(mutex);
    notes.push_back(std::move(made));
}

void Launch::notify() {
    progress++;
    if (sleepers) futex_wake(progress);
}

void Launch::finish() {
    if (fault || !armed()) return;
    for (int32_t unit = 0; unit < units; unit++) {
        const int64_t id = cross.left_over(unit);
        if (ACLIMB_LIKELY(id < 0)) continue;
        CoreType type;
        int64_t block;
        int32_t sub;
        place_unit(*this, unit, type, block, sub);
        Fault made;
        made.kind = "cross_flag_left";
        made.pc = reinterpret_cast<uint64_t>(cross.site(unit, static_cast<int>(id)));
        made.instruction = api_of(Op::cross_set);
        made.sub = cross.setter(unit, static_cast<int>(id));
        made.block = block;
        made.core_type = type;
        made.core_idx = block * (type == CoreType::AIV ? aivs_per_block(kernel->type) : 1) + sub;
        made.number("id", id).number("value", cross.value(unit, static_cast<int>(id)));
        if (!lax) {
            fault = std::move(made);
            return;
        }
        went_on(std::move(made), unit);
    }
}

bool Launch::alone() const {
    return units == 1 || kernel->in_block_order || schedule || !kernel->block_local[0].empty() || !kernel->block_local[1].empty();
}

void run_cores(Launch& launch) { Scheduler(launch, enter_worker()).run(); }

void block_core(Core& core, std::unique_lock<std::mutex>& lock) {
    Launch& launch = *core.launch;
    const Wait why = core.wait;
    core.state = CoreState::blocked;
    launch.waiting.push_back(&core);
    launch.blocked++;
    if (ACLIMB_LIKELY(!core.scheduled)) check_hang(launch);
    lock.unlock();
    aclimb_switch(&core.sp, core.worker->scheduler_sp);
    while (ACLIMB_UNLIKELY(core.scheduled) && core.asked.drain) { // its scalar unit stands still, its pipes go on
        core.asked.drain = false;
        core.asked.drained = drain_while_blocked(core);
        aclimb_switch(&core.sp, core.worker->scheduler_sp);
    }
    for (const auto& each : launch.observers) each->waited(core, why);
}

void wake_core(Core& core) {
    Launch& launch = *core.launch;
    std::erase(launch.waiting, &core);
    launch.blocked--;
    core.wait.kind = Wait::none;
    core.state = CoreState::ready;
    launch.notify();
}

void yield_core(Core& core) {
    core.state = CoreState::ready;
    aclimb_switch(&core.sp, core.worker->scheduler_sp);
}

std::string describe_unit(const Launch& launch, int32_t unit) {
    CoreType type;
    int64_t block;
    int32_t sub;
    place_unit(launch, unit, type, block, sub);
    const int ratio = type == CoreType::AIV ? aivs_per_block(launch.kernel->type) : 1;
    return std::string(name_of(type)) + " " + std::to_string(block * ratio + sub);
}

} // namespace aclimb
