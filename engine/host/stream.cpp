// SPDX-License-Identifier: Apache-2.0
#include "host/stream.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "core/fused_rules.h"
#include "core/futex.h"
#include "core/rank_watch.h"
#include "core/worker.h"
#include "host/pool.h"
#include "host/provoke.h"
#include "isolation/wire.h"
#include "memory/thread_id.h"

namespace aclimb {
namespace {

constexpr size_t kMostErrors = 16; // kept until somebody synchronises; the last one is always among them

} // namespace

Stream::~Stream() {
    for (auto& task : tasks_) { // nobody is left who could run them
        drop(task);
        for (const auto& each : task.observers) each->ended(task, true);
        device_->ended_one();
    }
    for (auto* launch : spare_) delete launch;
}

void Stream::watch_for_interrupt() { watch_sigint(); }

// --- queueing

bool Stream::wants_scalar() const {
    return QueueObserver::any_wants_scalar() || (schedule && schedule->wants_scalar()) ||
           std::any_of(observers.begin(), observers.end(), [](const auto& each) { return each->wants_scalar(); });
}

Launch& Stream::begin() {
    std::lock_guard lock(mutex_);
    if (spare_.empty()) return *new Launch;
    Launch* launch = spare_.back();
    spare_.pop_back();
    return *launch;
}

void Stream::give_back(Launch& launch) {
    launch.kernel.reset();
    launch.blocks.clear();
    for (auto& rank : launch.ranks) rank.reset();
    std::lock_guard lock(mutex_);
    spare_.push_back(&launch);
}

void Stream::post(Launch& launch) {
    if (capture) {
        {
            std::lock_guard lock(capture->mutex);
            if (!launch.bound_at) launch.bound_at = GlobalMemory::allocations();
            capture->launches.push_back({static_cast<const LaunchRequest&>(launch), reinterpret_cast<uint64_t>(this)});
        }
        give_back(launch);
        return;
    }
    if (ACLIMB_UNLIKELY(wants_scalar()) && launch.kernel->observed) launch.kernel = launch.kernel->observed;
    launch.chip = &device_->chip;
    launch.memory = &device_->memory;
    const Strictness device = device_->strictness;
    launch.lax = (launch.strictness == Strictness::device ? device : launch.strictness) == Strictness::hardware;
    launch.one_worker = one_worker;
    launch.prepare();
    for (int i = 0; i < kRankGroups; i++) launch.ranks[i] = device_->ranks[i];
    if (launch.with_ranks()) launch.observe(std::make_shared<RankWatch>(launch.ranks));
    if (launch.kernel->plan && !device_->process) launch.observe(fused_rules()); // an isolated device adds them itself
    for (const auto& each : observers) launch.observe(each);
    if (schedule) launch.follow(schedule);
    push(&launch, ProvokeSession::any() && !launch.with_ranks());
}

uint64_t Stream::copy(std::unique_ptr<MemoryCopy> copy) { return push(std::move(copy), ProvokeSession::any()); }

void Stream::record(const std::shared_ptr<Event>& event) {
    if (!record_now(*event)) push(RecordEvent{event, 0}, true);
}

// On a stream that has nothing to do the record is done before it could be queued.
bool Stream::record_now(Event& event) {
    if (QueueObserver::any()) return false;
    std::unique_lock running(run_mutex_, std::try_to_lock);
    if (!running) return false;
    std::lock_guard lock(mutex_);
    if (!tasks_.empty()) return false;
    posted_++;
    event.complete(event.queue_record(shared_from_this(), posted_), now_ns());
    done_++;
    return true;
}

void Stream::reset(const std::shared_ptr<Event>& event) { push(ResetEvent{event}, true); }

void Stream::await(const std::shared_ptr<Event>& event, uint64_t limit_ns) {
    const uint64_t ticket = event->last_ticket();
    if (!event->done(ticket) || QueueObserver::any()) push(AwaitEvent{event, ticket, limit_ns}, true);
}

void Stream::call(std::shared_ptr<Call> call) {
    call->stream = weak_from_this();
    push(std::move(call), true);
}

// A quick task on an idle stream is done here and now: cheaper than telling another thread.
uint64_t Stream::push(Work work, bool quick) {
    static std::atomic<uint32_t> ids{0};
    device_->pending++;
    uint64_t position;
    {
        std::lock_guard lock(mutex_);
        position = posted_ + 1;
        if (auto* record = std::get_if<RecordEvent>(&work)) record->ticket = record->event->queue_record(shared_from_this(), position);
        tasks_.push_back({std::move(work), ++ids, static_cast<uint32_t>(thread_id()), QueueObserver::all()});
        for (const auto& each : tasks_.back().observers) each->queued(*this, tasks_.back());
        posted_ = position;
    }
    if (quick && position == done_ + 1) run_tasks(shared_from_this(), position);
    // Whoever runs this stream now looks at the queue once more before it leaves.
    if (done_ < position && !running_ && !blocked_ && !queued.exchange(true)) Pool::instance().submit(shared_from_this());
    return position;
}

void Stream::resume() {
    blocked_ = false;
    done_word_++;
    if (waiters_) futex_wake(done_word_); // who synchronises can run the rest at once
    if (!queued.exchange(true)) Pool::instance().submit(shared_from_this());
}

// --- running

Stream::Progress Stream::step() {
    Task task;
    bool dropped;
    {
        std::lock_guard lock(mutex_);
        if (tasks_.empty()) return Progress::empty;
        dropped = context_->stopped || done_ < drop_until_;
        if (!dropped && blocks(tasks_.front().work)) return Progress::blocked;
        task = std::move(tasks_.front());
        tasks_.pop_front();
        if (auto* launch = std::get_if<Launch*>(&task.work); launch && !dropped) current_ = *launch;
    }
    if (dropped) drop(task);
    else run(task);
    for (const auto& each : task.observers) each->ended(task, dropped);
    done_++;
    ended_one();
    return Progress::ran;
}

void Stream::ended_one() {
    done_word_++;
    if (waiters_) futex_wake(done_word_);
    device_->ended_one();
}

// blocked_ is set before the question is asked: a resume() that comes in between is then not lost.
bool Stream::blocks(Work& work) {
    if (auto* wait = std::get_if<AwaitEvent>(&work)) {
        blocked_ = true;
        if (!over_limit(*wait) && !ready(*wait)) return true;
        blocked_ = false;
    } else if (auto* call = std::get_if<std::shared_ptr<Call>>(&work)) {
        blocked_ = true;
        if (!(*call)->posted.exchange(true)) (*call)->queue->put(*call);
        if ((*call)->blocking && !(*call)->finished) return true;
        blocked_ = false;
    }
    return false;
}

bool Stream::ready(AwaitEvent& wait) {
    if (wait.registered) return wait.event->done(wait.ticket);
    wait.registered = true;
    return wait.event->done_or_call_me(wait.ticket, shared_from_this());
}

bool Stream::over_limit(AwaitEvent& wait) {
    if (!wait.limit_ns) return false;
    if (!wait.since_ns) wait.since_ns = now_ns();
    return now_ns() - wait.since_ns > wait.limit_ns;
}

void Stream::run(Task& task) {
    if (auto* launch = std::get_if<Launch*>(&task.work)) {
        run(**launch, task);
    } else if (auto* copy = std::get_if<std::unique_ptr<MemoryCopy>>(&task.work)) {
        const Side refused = (*copy)->run();
        if (refused == Side::none) return;
        Fault fault;
        fault.kind = "copy_refused";
        const bool dst = refused == Side::dst;
        const uint64_t addr = dst ? (*copy)->dst : (*copy)->src;
        if (!GlobalMemory::owner(addr) && !HostMemory::instance().ours(addr)) fault.text("memory_of", "host");
        fault.text("side", dst ? "destination" : "source")
            .number("addr", static_cast<int64_t>(addr))
            .number("size", static_cast<int64_t>((*copy)->span(dst ? (*copy)->dst_pitch : (*copy)->src_pitch)));
        fail(task, std::move(fault), nullptr, (*copy)->site);
    } else if (auto* record = std::get_if<RecordEvent>(&task.work)) {
        record->event->complete(record->ticket, now_ns());
    } else if (auto* reset = std::get_if<ResetEvent>(&task.work)) {
        reset->event->reset();
    } else if (auto* wait = std::get_if<AwaitEvent>(&task.work); wait && !wait->event->done(wait->ticket)) {
        Fault fault;
        fault.kind = "event_wait_timeout";
        fail(task, std::move(fault.number("limit_ms", static_cast<int64_t>(wait->limit_ns / 1000000))), nullptr, 0);
    } else if (auto* call = std::get_if<std::shared_ptr<Call>>(&task.work); call && !(*call)->failure.empty()) {
        Fault fault;
        fault.kind = "operator_failed";
        fail(task, std::move(fault.text("call", (*call)->label).text("sentence", (*call)->failure)), nullptr, (*call)->site);
    }
}

// Arguments in device memory are read when the kernel starts. False: they are gone.
bool Stream::take_args(Launch& launch) {
    if (!launch.args_at) return true;
    if (device_->memory.pin(launch.args_at, launch.args_bytes)) {
        memcpy(launch.args.data(), reinterpret_cast<const void*>(launch.args_at), launch.args_bytes);
        device_->memory.unpin(launch.args_at);
        return true;
    }
    launch.fault.emplace();
    launch.fault->kind = "args_freed";
    launch.fault->number("addr", static_cast<int64_t>(launch.args_at)).number("size", static_cast<int64_t>(launch.args_bytes));
    return false;
}

namespace {

bool is_elsewhere(const Kernel& kernel) {
    if (!Image::maps_elsewhere()) return false;
    const auto images = images_in(kernel);
    return std::any_of(images.begin(), images.end(), [](const auto& each) { return each->is_elsewhere(); });
}

} // namespace

void Stream::run_cores_of(Launch& launch) {
    if (ACLIMB_UNLIKELY(device_->process != nullptr)) {
        device_->process->run(launch);
    } else if (ACLIMB_UNLIKELY(is_elsewhere(*launch.kernel))) {
        launch.fault.emplace();
        launch.fault->kind = "isolation_refused";
        launch.fault->text("sentence",
                           "it was loaded when an isolated device was open, so that none of its code is in the host process, and "
                           "this device is not isolated; open it as Device(isolated=True)");
    } else {
        Pool::instance().run(launch);
    }
    if (launch.cancelled && !launch.fault) { // Ctrl-C came while no core ran; not all of them did
        launch.fault.emplace();
        launch.fault->kind = "interrupted";
    }
}

void Stream::run_to_its_end(Launch& launch, const Task& task) {
    if (take_args(launch)) {
        for (const auto& each : task.observers)
            if (each->runs(launch, device_->memory, [&] { run_cores_of(launch); })) return;
        run_cores_of(launch);
    }
    while (!launch.has_ended()) { // an observer wants it once more
        launch.prepare();
        for (auto& text : launch.output) text.clear();
        run_cores_of(launch);
    }
}

void Stream::run(Launch& launch, const Task& task) {
    run_to_its_end(launch, task);
    {
        std::lock_guard lock(mutex_);
        current_ = nullptr;
    }
    if (launch.fault && done_ >= drop_until_) {
        if (launch.fault->kind == "interrupted") interrupted_ = true;
        fail(task, std::move(*launch.fault), &launch, launch.site);
    }
    launch.fault.reset();
    std::vector<TaskError> notes;
    if (ACLIMB_UNLIKELY(!launch.notes.empty()))
        for (auto& note : launch.take_notes())
            notes.push_back({std::move(note), launch.kernel, task.id, task.thread, nullptr, launch.site});
    launch.kernel.reset();
    for (auto& rank : launch.ranks) rank.reset();
    launch.forget_observers();
    std::lock_guard lock(mutex_);
    for (auto& note : notes)
        if (notes_.size() < kMostNotes) notes_.push_back(std::move(note));
    for (auto& text : launch.output) {
        output_ += text;
        text.clear();
    }
    launch.blocks.clear();
    spare_.push_back(&launch);
}

void Stream::fail(const Task& task, Fault fault, const Launch* launch, uint32_t site) {
    if (launch && launch->limit_ns) fault.number("limit_us", static_cast<int64_t>(launch->limit_ns / 1000));
    TaskError error{std::move(fault), launch ? launch->kernel : nullptr, task.id, task.thread, nullptr, site};
    if (launch && !launch->blocks.empty()) {
        error.args = launch->blocks[0];
    } else if (launch && launch->args_bytes) {
        const uint64_t addr = device_->take_block(launch->args_bytes);
        if (addr) {
            const auto quiet = ProvokeSession::quiet();
            memcpy(reinterpret_cast<void*>(addr), launch->args.data(), launch->args_bytes);
            error.args = std::make_shared<ArgsBlock>(device_, addr, launch->args_bytes);
        }
    }
    if (context_->stop_mode) context_->stopped = true;
    std::lock_guard lock(mutex_);
    if (errors_.size() >= kMostErrors) errors_.pop_back();
    errors_.push_back(std::move(error));
}

// Nobody waits for ever for what never comes.
void Stream::drop(Task& task) {
    if (auto* launch = std::get_if<Launch*>(&task.work)) {
        (*launch)->forget_observers();
        give_back(**launch);
    } else if (auto* record = std::get_if<RecordEvent>(&task.work)) {
        record->event->complete(record->ticket, now_ns());
    } else if (auto* call = std::get_if<std::shared_ptr<Call>>(&task.work)) {
        (*call)->finished = true;
    }
}

void Stream::run_tasks(const std::shared_ptr<Stream>& stream, uint64_t until) {
    Stream& self = *stream;
    const bool bounded = until != ~uint64_t{0}; // somebody synchronises
    for (;;) {
        {
            std::unique_lock running(self.run_mutex_, std::try_to_lock);
            if (!running) return;
            self.running_ = true;
            while (self.done_ < until && !(self.interrupted_ && bounded) && self.step() == Progress::ran) {}
            self.running_ = false;
        }
        if (self.blocked_) return; // resume() is still to come
        bool more;
        {
            std::lock_guard lock(self.mutex_);
            more = !self.tasks_.empty();
        }
        if (!more) return;
        if (self.done_ >= until || (self.interrupted_ && bounded)) { // the rest is for the pool
            if (!self.queued.exchange(true)) Pool::instance().submit(stream);
            return;
        }
    }
}

} // namespace aclimb
