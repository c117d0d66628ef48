// SPDX-License-Identifier: Apache-2.0
// Who waits for a stream, ends what it does, or fetches what its tasks left.
#include "core/futex.h"
#include "core/worker.h"
#include "host/pool.h"
#include "host/stream.h"

namespace aclimb {
namespace {

// Who helped is done about when the others are; to sleep and be woken takes longer than the rest of their work.
constexpr uint64_t kSpinForStreamNs = 5000, kSpinAfterHelpNs = 50000;

} // namespace

bool Stream::wait_for(uint64_t target, uint64_t at_most_ns, bool help) {
    const bool helped = help && done_ < target && Pool::instance().help_while_waiting(true);
    const uint64_t until = now_ns() + (helped ? kSpinAfterHelpNs : kSpinForStreamNs);
    while (done_ < target && now_ns() < until)
        for (int i = 0; i < 16; i++) relax();
    if (done_ >= target) return true;
    if (help && Pool::instance().help_while_waiting(false)) return done_ >= target;
    waiters_++;
    const uint32_t seen = done_word_;
    if (done_ < target) futex_wait(done_word_, seen, at_most_ns);
    waiters_--;
    if (blocked_) resume(); // a wait may be over its limit
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

void Stream::abort() {
    {
        std::lock_guard lock(mutex_);
        drop_until_ = posted_.load();
        if (current_) interrupt_launch(*current_);
    }
    aborts_++;
    resume();
}

void Stream::forget_interruption() {
    std::lock_guard lock(mutex_);
    interrupted_ = false;
    std::erase_if(errors_, [](const TaskError& error) { return error.fault.kind == "interrupted"; });
}

bool Stream::settled() {
    std::lock_guard lock(mutex_);
    return idle() && errors_.empty() && notes_.empty() && output_.empty();
}

std::vector<TaskError> Stream::take_errors() {
    std::lock_guard lock(mutex_);
    return std::exchange(errors_, {});
}

std::vector<TaskError> Stream::take_notes() {
    std::lock_guard lock(mutex_);
    return std::exchange(notes_, {});
}

std::string Stream::take_output() {
    std::lock_guard lock(mutex_);
    return std::exchange(output_, {});
}

} // namespace aclimb
