// SPDX-License-Identifier: Apache-2.0
#include "host/queue_observer.h"

#include <algorithm>
#include <mutex>

namespace aclimb {
namespace {

std::mutex mutex;
QueueObserver::List& list() {
    static auto& all = *new QueueObserver::List; // outlives the threads
    return all;
}

} // namespace

std::atomic<bool> QueueObserver::open_{false}, QueueObserver::scalar_{false};

void QueueObserver::count() { // mutex held
    open_ = !list().empty();
    scalar_ = std::any_of(list().begin(), list().end(), [](const auto& each) { return each->wants_scalar(); });
}

QueueObserver::List QueueObserver::all() {
    if (!any()) return {};
    std::lock_guard lock(mutex);
    return list();
}

void QueueObserver::open(std::shared_ptr<QueueObserver> observer) {
    std::lock_guard lock(mutex);
    list().push_back(std::move(observer));
    count();
}

void QueueObserver::close(const std::shared_ptr<QueueObserver>& observer) {
    std::lock_guard lock(mutex);
    std::erase(list(), observer);
    count();
}

} // namespace aclimb
