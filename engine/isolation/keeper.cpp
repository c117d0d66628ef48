// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <exception>
#include <future>
#include <thread>

#include "isolation/living.h"

namespace aclimb {

Keeper& Keeper::instance() {
    static Keeper& keeper = *new Keeper; // its thread outlives static destruction
    return keeper;
}

std::shared_ptr<Living> Keeper::start(const std::string& program, const Setup& setup, GlobalMemory& memory) {
    std::promise<std::shared_ptr<Living>> made;
    auto result = made.get_future();
    {
        std::lock_guard lock(mutex_);
        jobs_.push_back([&] {
            try {
                auto living = std::make_shared<Living>(program, setup, memory);
                living_.push_back(living);
                made.set_value(std::move(living));
            } catch (...) {
                made.set_exception(std::current_exception());
            }
        });
        if (!std::exchange(started_, true)) {
            sigset_t all, before;
            sigfillset(&all);
            pthread_sigmask(SIG_BLOCK, &all, &before);
            std::thread([this] { serve(); }).detach();
            pthread_sigmask(SIG_SETMASK, &before, nullptr);
        }
    }
    changed_.notify_one();
    return result.get();
}

void Keeper::serve() {
    constexpr auto kLook = std::chrono::milliseconds(10);
    for (;;) {
        std::vector<std::function<void()>> jobs;
        {
            std::unique_lock lock(mutex_);
            if (living_.empty()) changed_.wait(lock, [this] { return !jobs_.empty(); });
            else changed_.wait_for(lock, kLook, [this] { return !jobs_.empty(); });
            jobs.swap(jobs_);
        }
        for (const auto& job : jobs) job();
        look();
    }
}

void Keeper::look() {
    std::erase_if(living_, [](const std::weak_ptr<Living>& each) {
        const auto living = each.lock();
        if (!living || living->is_dead()) return true;
        living->look();
        return false;
    });
}

} // namespace aclimb
