// SPDX-License-Identifier: Apache-2.0
#include "host/stream.h"

#include "core/worker.h"
#include "host/futex.h"
#include "host/pool.h"

namespace aclimb {

bool Device::wait_idle(uint64_t at_most_ns) {
    const uint64_t start = now_ns();
    while (pending) {
        const uint32_t seen = completed;
        if (!pending) break;
        if (!Pool::instance().help_any()) futex_wait(completed, seen, 1000000);
        if (now_ns() - start > at_most_ns) return false;
    }
    return true;
}

Stream::~Stream() {
    for (auto* launch : spare_) delete launch;
}

void Stream::watch_for_interrupt() { watch_sigint(); }

Launch& Stream::begin() {
    std::lock_guard lock(mutex_);
    if (spare_.empty()) return *new Launch;
    Launch* launch = spare_.back();
    spare_.pop_back();
    return *launch;
}

void Stream::give_back(Launch& launch) {
    std::lock_guard lock(mutex_);
    spare_.push_back(&launch);
}

void Stream::post(Launch& launch) {
    launch.chip = &device_->chip;
    launch.memory = &device_->memory;
    launch.prepare();
    device_->pending++;
    {
        std::lock_guard lock(mutex_);
        tasks_.push_back(&launch);
        posted_++;
    }
    // Whoever runs this stream now looks at the queue once more before it leaves.
    if (!running_ && !queued.exchange(true)) Pool::instance().submit(shared_from_this());
}

bool Stream::step() {
    Launch* launch;
    {
        std::lock_guard lock(mutex_);
        if (tasks_.empty()) return false;
        launch = tasks_.front();
        tasks_.pop_front();
        current_ = launch;
    }
    Pool::instance().run(*launch);
    {
        std::lock_guard lock(mutex_);
        current_ = nullptr;
        if (launch->cancelled && !launch->fault) { // Ctrl-C came while no core ran; not all of them did
            launch->fault.emplace();
            launch->fault->kind = "interrupted";
        }
        if (launch->fault && launch->fault->kind == "interrupted") interrupted_ = true;
        if (launch->fault && !error_) error_ = TaskError{std::move(*launch->fault), launch->kernel};
        launch->fault.reset();
        for (auto& text : launch->output) {
            output_ += text;
            text.clear();
        }
        launch->kernel.reset();
        spare_.push_back(launch);
        done_++;
    }
    done_word_++;
    if (waiters_) futex_wake(done_word_);
    device_->completed++;
    if (--device_->pending == 0) futex_wake(device_->completed);
    return true;
}

void Stream::run_tasks(const std::shared_ptr<Stream>& stream, uint64_t until) {
    Stream& self = *stream;
    const bool bounded = until != ~uint64_t{0}; // somebody synchronises
    for (;;) {
        {
            std::unique_lock running(self.run_mutex_, std::try_to_lock);
            if (!running) return;
            self.running_ = true;
            while (self.done_ < until && !(self.interrupted_ && bounded) && self.step()) {}
            self.running_ = false;
        }
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

bool Stream::wait_for(uint64_t target, uint64_t at_most_ns) {
    const uint64_t until = now_ns() + 5000;
    while (done_ < target && now_ns() < until)
        for (int i = 0; i < 16; i++) relax();
    if (done_ >= target) return true;
    if (Pool::instance().help_any()) return done_ >= target;
    waiters_++;
    const uint32_t seen = done_word_;
    if (done_ < target) futex_wait(done_word_, seen, at_most_ns);
    waiters_--;
    return done_ >= target;
}

void Stream::interrupt() {
    constexpr uint64_t kPatienceNs = 2000000000;
    const uint64_t start = now_ns();
    uint64_t before;
    {
        std::lock_guard lock(mutex_);
        if (!current_) return;
        interrupt_launch(*current_);
        before = done_;
    }
    waiters_++;
    for (uint32_t seen = done_word_; done_ == before && now_ns() - start < kPatienceNs; seen = done_word_)
        futex_wait(done_word_, seen, 10000000);
    waiters_--;
}

void Stream::forget_interruption() {
    std::lock_guard lock(mutex_);
    interrupted_ = false;
    if (error_ && error_->fault.kind == "interrupted") error_.reset();
}

bool Stream::settled() {
    std::lock_guard lock(mutex_);
    return idle() && !error_ && output_.empty();
}

std::optional<TaskError> Stream::take_error() {
    std::lock_guard lock(mutex_);
    auto taken = std::move(error_);
    error_.reset();
    return taken;
}

std::string Stream::take_output() {
    std::lock_guard lock(mutex_);
    return std::exchange(output_, {});
}

} // namespace aclimb
