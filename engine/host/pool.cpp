// SPDX-License-Identifier: Apache-2.0
#include "host/pool.h"

#include <pthread.h>

#include <algorithm>
#include <csignal>
#include <optional>
#include <thread>

#include "core/futex.h"
#include "core/launch.h"
#include "core/plan.h"
#include "core/worker.h"
#include "host/stream.h"

namespace aclimb {
namespace {

// Two spinning threads on one host core cost each other the whole spin, so nobody spins for long; but one thread, the one that had work
// last, stays awake for the next task of a program that queues one after another. Waking it would cost more than the task.
constexpr uint64_t kSpinNs = 3000, kStayAwakeNs = 50000;
// A launch that took less than this the last time is finished before a sleeping thread is awake.
constexpr uint64_t kWorthHelpNs = 30000;
// A thread that begins to wait for a launch so soon after its start is as good a helper as a woken one.
constexpr uint64_t kWorthWaitingForNs = 10000;

// So that Ctrl-C on this thread finds the launch.
struct TakePart {
    explicit TakePart(Launch& launch) : worker(enter_worker()) { worker.taking_part = &launch; }
    ~TakePart() { worker.taking_part = nullptr; }
    Worker& worker;
};

std::atomic<bool> in_child{false};

} // namespace

bool Pool::forked() { return in_child; }

Pool& Pool::instance() {
    static Pool& pool = *new Pool;
    return pool;
}

void Pool::start(int threads) {
    static std::once_flag once;
    std::call_once(once, [&] {
        threads_ = std::max(1, threads);
        pthread_atfork(nullptr, nullptr, [] { in_child = true; });
        for (int i = 0; i < threads_; i++) start_thread();
    });
}

void Pool::start_thread() {
    sigset_t all, before; // Ctrl-C and friends belong to the thread that runs Python
    sigfillset(&all);
    for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, kill_signal_number()}) sigdelset(&all, signal);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    std::thread([this] { serve(); }).detach();
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

// A kernel that waits for another rank keeps its thread until that rank has run: there is one more thread for each, so that it can.
struct Pool::Stay {
    explicit Stay(Pool& of) : pool(of) {
        std::lock_guard lock(pool.mutex_);
        if (++pool.staying_ <= pool.more_) return;
        pool.more_++;
        pool.start_thread();
    }
    ~Stay() {
        std::lock_guard lock(pool.mutex_);
        pool.staying_--;
    }
    Pool& pool;
};

void Pool::notify(int count) {
    generation_++;
    if (asleep_ && count > 0 && (count > 1 || !spinning_)) futex_wake(generation_, count);
}

void Pool::submit(std::shared_ptr<Stream> stream) {
    {
        std::lock_guard lock(mutex_);
        ready_.push_back(std::move(stream));
    }
    notify(1);
}

void Pool::call_helpers() { notify(threads_ - 1); }

Launch* Pool::join(uint64_t at_least_ns) {
    std::lock_guard lock(mutex_);
    for (auto& each : active_)
        if (!each.launch->alone() && each.launch->next < each.launch->units && !each.launch->cancelled && each.helpers + 1 < threads_ &&
            each.launch->kernel->last_ns >= at_least_ns) {
            each.helpers++;
            return each.launch;
        }
    return nullptr;
}

void Pool::leave(Launch& launch) {
    {
        std::lock_guard lock(mutex_);
        for (auto& each : active_)
            if (each.launch == &launch) each.helpers--;
    }
    left_++;
    futex_wake(left_);
}

bool Pool::help_while_waiting(bool only_long) {
    {
        std::lock_guard lock(mutex_);
        const uint64_t now = now_ns();
        for (auto& each : active_)
            if (now - each.launch->started_ns < kWorthWaitingForNs) each.launch->waiter_came = true;
    }
    Launch* launch = join(only_long ? kWorthHelpNs : 0);
    if (!launch) return false;
    take_part(*launch);
    return true;
}

bool Pool::help_any() {
    Launch* launch = join(0);
    if (!launch) return false;
    take_part(*launch);
    return true;
}

void Pool::take_part(Launch& launch) {
    {
        TakePart part(launch);
        run_cores(launch);
    }
    leave(launch);
}

bool Pool::serve_once() {
    std::shared_ptr<Stream> stream;
    bool more = false;
    {
        std::lock_guard lock(mutex_);
        if (!ready_.empty()) {
            stream = std::move(ready_.front());
            ready_.pop_front();
            more = !ready_.empty();
        }
    }
    if (more) notify(1); // who spun for this one did so for all
    if (stream) {
        stream->queued = false;
        Stream::run_tasks(stream, ~uint64_t{0});
        return true;
    }
    return help_any();
}

void Pool::spin(uint32_t seen) {
    const bool stays = !stays_awake_.exchange(true);
    const uint64_t until = now_ns() + (stays ? kStayAwakeNs : kSpinNs);
    spinning_++;
    while (generation_ == seen && now_ns() < until)
        for (int i = 0; i < 16; i++) relax();
    spinning_--;
    if (stays) stays_awake_ = false;
}

void Pool::serve() {
    enter_worker();
    for (;;) {
        const uint32_t seen = generation_;
        if (serve_once()) continue;
        spin(seen);
        if (generation_ != seen) continue;
        asleep_++;
        while (generation_ == seen) futex_wait(generation_, seen);
        asleep_--;
    }
}

void Pool::run(Launch& launch) {
    std::optional<Stay> stay;
    if (launch.with_ranks()) stay.emplace(*this);
    std::vector<std::unique_lock<std::mutex>> turns; // with other ranks, one that waits must not keep them: Scheduler takes them
    if (launch.with_ranks()) {
    } else if (!launch.kernel->block_local[0].empty() || !launch.kernel->block_local[1].empty()) {
        std::vector<Image*> images = launch.kernel->block_local[0]; // in one order for all launches
        images.insert(images.end(), launch.kernel->block_local[1].begin(), launch.kernel->block_local[1].end());
        std::sort(images.begin(), images.end());
        for (Image* image : images) turns.emplace_back(image->block_local_mutex);
    }
    TakePart part(launch);
    for (const auto& each : launch.observers) each->launched(launch);
    launch.call_helpers = [] { instance().call_helpers(); };
    launch.started_ns = now_ns();
    // The cores of a fused kernel meet after every part: two threads pay only where a part is long.
    const uint64_t parts = launch.kernel->plan ? launch.kernel->plan->subs.size() : 1, last_ns = launch.kernel->last_ns;
    const bool short_parts = launch.kernel->plan && last_ns && last_ns <= kWorthHelpNs * parts;
    const bool shared = !launch.alone() && threads_ > 1 && !short_parts;
    if (shared) {
        {
            std::lock_guard lock(mutex_);
            active_.push_back({&launch, 0});
        }
        // Who waits for the launch helps too, and is awake: a thread woken beside it would only take its core away.
        if (last_ns > kWorthHelpNs * parts) notify(threads_ - 1 - (launch.kernel->waiter_came ? 1 : 0));
        else launch.helpers_at_ns = launch.started_ns + 3000 * parts;
    }
    run_cores(launch);
    if (shared) {
        uint64_t until = 0;
        for (;;) {
            const uint32_t seen = left_;
            {
                std::lock_guard lock(mutex_);
                const auto mine = std::find_if(active_.begin(), active_.end(), [&](const Active& each) { return each.launch == &launch; });
                if (mine->helpers == 0) {
                    active_.erase(mine);
                    break;
                }
            }
            if (!until) until = now_ns() + 50000;
            while (left_ == seen && now_ns() < until)
                for (int i = 0; i < 16; i++) relax();
            if (left_ == seen) futex_wait(left_, seen, 1000000);
        }
    }
    launch.finish();
    launch.kernel->last_ns = now_ns() - launch.started_ns;
    launch.kernel->waiter_came = launch.waiter_came.load();
}

} // namespace aclimb
