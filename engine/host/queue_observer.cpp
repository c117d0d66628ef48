// SPDX-License-Identifier: Apache-2.0
#include "host/queue_observer.h"

#include <mutex>

namespace aclimb {
namespace {

std::mutex mutex;
QueueObserver::List& list() {
    static auto& all = *new QueueObserver::List; // outlives the threads
    return all;
}

} // namespace

std::atomic<bool> QueueObserver::open_{false};

QueueObserver::List QueueObserver::all() {
    if (!any()) return {};
    std::lock_guard lock(mutex);
    return list();
}

void QueueObserver::open(std::shared_ptr<QueueObserver> observer) {
    std::lock_guard lock(mutex);
    list().push_back(std::move(observer));
    open_ = true;
}

void QueueObserver::close(const std::shared_ptr<QueueObserver>& observer) {
    std::lock_guard lock(mutex);
    std::erase(list(), observer);
    open_ = !list().empty();
}

} // namespace aclimb
