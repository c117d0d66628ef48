// SPDX-License-Identifier: Apache-2.0
#include "host/report.h"

#include "core/futex.h"
#include "core/worker.h"
#include "host/stream.h"

namespace aclimb {

void Call::finish() {
    finished = true;
    if (const auto waiting = stream.lock()) waiting->resume();
}

void ReportQueue::put(std::shared_ptr<Call> call) {
    {
        std::lock_guard lock(mutex_);
        if (closed_) {
            call->finished = true; // called by the stream itself, which looks at it next
            return;
        }
        calls_.push_back(std::move(call));
        arrived_++;
    }
    futex_wake(arrived_);
}

std::shared_ptr<Call> ReportQueue::take(uint64_t at_most_ns) {
    const uint64_t start = now_ns();
    for (;;) {
        uint32_t seen;
        {
            std::lock_guard lock(mutex_);
            seen = arrived_;
            if (!calls_.empty()) {
                auto call = std::move(calls_.front());
                calls_.pop_front();
                return call;
            }
        }
        const uint64_t passed = now_ns() - start;
        if (passed >= at_most_ns) return nullptr;
        futex_wait(arrived_, seen, at_most_ns - passed);
    }
}

void ReportQueue::close() {
    std::deque<std::shared_ptr<Call>> left;
    {
        std::lock_guard lock(mutex_);
        closed_ = true;
        left.swap(calls_);
    }
    for (const auto& call : left) call->finish();
}

} // namespace aclimb
