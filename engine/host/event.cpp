// SPDX-License-Identifier: Apache-2.0
#include "host/event.h"

#include <algorithm>

#include "host/stream.h"

namespace aclimb {

uint64_t Event::queue_record(const std::shared_ptr<Stream>& stream, uint64_t position) {
    std::lock_guard lock(mutex_);
    recorder_ = stream;
    position_ = position;
    return ++queued_;
}

uint64_t Event::last_ticket() {
    std::lock_guard lock(mutex_);
    return queued_;
}

void Event::complete(uint64_t ticket, uint64_t stamp_ns) {
    std::vector<Waiter> woken;
    {
        std::lock_guard lock(mutex_);
        if (ticket > done_) {
            done_ = ticket;
            stamp_ns_ = stamp_ns;
        }
        const auto ready = std::partition(waiters_.begin(), waiters_.end(), [&](const Waiter& each) { return each.ticket > done_; });
        woken.assign(std::make_move_iterator(ready), std::make_move_iterator(waiters_.end()));
        waiters_.erase(ready, waiters_.end());
    }
    for (const auto& each : woken) each.stream->resume();
}

void Event::reset() {
    std::lock_guard lock(mutex_);
    reset_at_ = done_;
}

void Event::expect_modelled(uint64_t ticket) {
    std::lock_guard lock(mutex_);
    expected_ = ticket;
}

void Event::set_modelled(uint64_t ticket, uint64_t stamp_ns) {
    std::lock_guard lock(mutex_);
    modelled_ = ticket;
    if (ticket == done_) stamp_ns_ = stamp_ns;
}

bool Event::done(uint64_t ticket) {
    std::lock_guard lock(mutex_);
    return done_ >= ticket;
}

bool Event::done_or_call_me(uint64_t ticket, const std::shared_ptr<Stream>& stream) {
    std::lock_guard lock(mutex_);
    if (done_ >= ticket) return true;
    waiters_.push_back({ticket, stream});
    return false;
}

Event::Status Event::status() {
    std::lock_guard lock(mutex_);
    return {queued_ > reset_at_, queued_ > reset_at_ && done_ == queued_, stamp_ns_, modelled_ >= expected_};
}

std::shared_ptr<Stream> Event::recorder(uint64_t& position) {
    std::lock_guard lock(mutex_);
    position = position_;
    return recorder_.lock();
}

} // namespace aclimb
