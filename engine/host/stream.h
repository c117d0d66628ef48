// SPDX-License-Identifier: Apache-2.0
// A stream: a queue of the device. Tasks run in order, on a thread of the pool or on the thread that synchronises, which
// helps instead of sleeping (a wake-up costs more than a small kernel).
#pragma once
#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/launch.h"

namespace aclimb {

struct Device {
    Device(uint64_t capacity, const ChipLimits& limits) : memory(capacity), chip(limits) {}
    GlobalMemory memory;
    ChipLimits chip;
    std::atomic<int64_t> pending{0};                    // tasks queued or running, over all streams
    std::atomic<uint32_t> completed{0};                 // counts task ends; waited on
    bool wait_idle(uint64_t at_most_ns = ~uint64_t{0}); // false: the time is up
};

struct TaskError {
    Fault fault;
    std::shared_ptr<Kernel> kernel;
};

class Stream : public std::enable_shared_from_this<Stream> {
  public:
    explicit Stream(std::shared_ptr<Device> device) : device_(std::move(device)) {}
    ~Stream();

    Launch& begin(); // a launch to fill in; followed by post()
    void post(Launch& launch);
    void give_back(Launch& launch); // begun, not posted

    // Waits until all tasks posted so far have ended. False: `interrupted` returned true meanwhile.
    template <class Interrupted> bool synchronize(Interrupted interrupted, bool main_thread);
    bool idle() const { return done_ == posted_; }
    std::optional<TaskError> take_error();
    void forget_interruption(); // the caller has been told by other means
    bool settled();             // idle, and neither an error nor output to fetch
    std::string take_output();
    Device& device() { return *device_; }

    static void run_tasks(const std::shared_ptr<Stream>& stream, uint64_t until); // until that many are done
    std::atomic<bool> queued{false};

  private:
    friend class Pool;
    bool step();
    bool wait_for(uint64_t target, uint64_t at_most_ns);
    void interrupt(); // ends the task that runs now
    static void watch_for_interrupt();

    std::shared_ptr<Device> device_;
    std::mutex mutex_, run_mutex_;
    std::deque<Launch*> tasks_;
    Launch* current_ = nullptr; // being run
    std::vector<Launch*> spare_;
    std::atomic<uint64_t> posted_{0}, done_{0};
    std::atomic<uint32_t> done_word_{0};
    std::atomic<int> waiters_{0};
    std::atomic<bool> running_{false};
    std::atomic<bool> interrupted_{false}; // a task ended by Ctrl-C; who synchronises looks into it before it runs the next
    std::optional<TaskError> error_;
    std::string output_;
};

template <class Interrupted> bool Stream::synchronize(Interrupted interrupted, bool main_thread) {
    const uint64_t target = posted_;
    if (done_ >= target) return true;
    if (main_thread) watch_for_interrupt();
    auto self = shared_from_this();
    while (done_ < target) {
        run_tasks(self, target);
        if (interrupted_.exchange(false) && interrupted()) return false;
        if (done_ >= target) break;
        if (!wait_for(target, 50000000) && interrupted()) {
            interrupt();
            return false;
        }
    }
    return !(main_thread && interrupted());
}

} // namespace aclimb
