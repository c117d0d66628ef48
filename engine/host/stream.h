// SPDX-License-Identifier: Apache-2.0
// A stream: a queue of the device. Tasks run in order, on a thread of the pool or on the thread that synchronises, which
// helps instead of sleeping (a wake-up costs more than a small kernel).
//
// State map
//   posted_, done_  how many tasks came and how many are behind us; a task's position is the value of posted_ after it
//   running_        somebody is in run_tasks; only who holds run_mutex_ takes tasks
//   blocked_        the first task waits for an event or a callback; resume() clears it
//   drop_until_     tasks up to that position are dropped, not run (abort)
#pragma once
#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/schedule.h"
#include "host/capture.h"
#include "host/task.h"

namespace aclimb {

enum class Waited { done, interrupted, timed_out, aborted };

class Stream : public std::enable_shared_from_this<Stream> {
  public:
    static constexpr uint64_t kMostWaiting = 1024;
    const uint64_t serial; // no two streams of a process have the same

    Stream(std::shared_ptr<Device> device, std::shared_ptr<ContextState> context)
        : serial(++serials()), device_(std::move(device)), context_(std::move(context)) {}
    ~Stream();

    // Of the launches from now on.
    std::vector<std::shared_ptr<Observer>> observers;
    std::shared_ptr<Schedule> schedule; // adversarial
    bool one_worker = false;            // its launches

    std::shared_ptr<Capture> capture; // where launches go instead of the queue, while there is one

    bool wants_scalar() const; // somebody looks at launches who wants to know what the scalar unit does between records
    Launch& begin();           // a launch to fill in; followed by post()
    void post(Launch& launch);
    void give_back(Launch& launch);                  // begun, not posted
    uint64_t copy(std::unique_ptr<MemoryCopy> copy); // its position
    void record(const std::shared_ptr<Event>& event);
    void reset(const std::shared_ptr<Event>& event);
    void await(const std::shared_ptr<Event>& event, uint64_t limit_ns);
    void call(std::shared_ptr<Call> call);

    // Waits until the tasks up to `target` have ended; for ever when at_most_ns is 0. Interrupted: `interrupted` returned true.
    template <class Interrupted> Waited wait(uint64_t target, uint64_t at_most_ns, Interrupted interrupted, bool main_thread);
    uint64_t posted() const { return posted_; }
    bool idle() const { return done_ == posted_; }
    bool full() const { return posted_ - done_ >= kMostWaiting; }
    bool stopped() const { return context_->stopped; }

    void abort();  // ends the task that runs, drops the others
    void resume(); // what the first task waited for may have come
    std::vector<TaskError> take_errors();
    std::vector<TaskError> take_notes(); // warnings
    void forget_interruption();          // the caller has been told by other means
    bool settled();                      // idle, and neither an error nor output to fetch
    std::string take_output();
    const std::shared_ptr<Device>& device() { return device_; }
    const std::shared_ptr<ContextState>& context() { return context_; }

    static void run_tasks(const std::shared_ptr<Stream>& stream, uint64_t until); // until that many are done
    std::atomic<bool> queued{false};

  private:
    enum class Progress { ran, blocked, empty };
    uint64_t push(Work work, bool quick); // the task's position
    bool record_now(Event& event);
    Progress step();
    bool blocks(Work& work);      // true: the first task cannot run yet, and resume() will come
    bool ready(AwaitEvent& wait); // false: resume() comes when it is
    static bool over_limit(AwaitEvent& wait);
    void run(Task& task);
    void run(Launch& launch, const Task& task);
    bool take_args(Launch& launch);
    void run_cores_of(Launch& launch);
    void run_to_its_end(Launch& launch, const Task& task);
    void drop(Task& task);
    void fail(const Task& task, Fault fault, const Launch* launch, uint32_t site);
    void ended_one();
    bool wait_for(uint64_t target, uint64_t at_most_ns, bool help);
    void interrupt(); // ends the launch that runs now
    static void watch_for_interrupt();

    static std::atomic<uint64_t>& serials() {
        static std::atomic<uint64_t> last{0};
        return last;
    }

    std::shared_ptr<Device> device_;
    std::shared_ptr<ContextState> context_;
    std::mutex mutex_, run_mutex_;
    std::deque<Task> tasks_;
    Launch* current_ = nullptr; // being run
    std::vector<Launch*> spare_;
    std::atomic<uint64_t> posted_{0}, done_{0}, drop_until_{0};
    std::atomic<uint32_t> done_word_{0}, aborts_{0};
    std::atomic<int> waiters_{0};
    std::atomic<bool> running_{false}, blocked_{false};
    std::atomic<bool> interrupted_{false}; // a task ended by Ctrl-C; who synchronises looks into it before it runs the next
    std::vector<TaskError> errors_, notes_;
    std::string output_;
};

uint64_t now_ns();

template <class Interrupted> Waited Stream::wait(uint64_t target, uint64_t at_most_ns, Interrupted interrupted, bool main_thread) {
    if (done_ >= target) return Waited::done;
    constexpr uint64_t kLookNs = 50000000; // how often signals are looked for
    const uint64_t start = now_ns();
    const uint32_t aborts = aborts_;
    const bool help = !at_most_ns; // who has to be back in time must not start a kernel
    if (main_thread) watch_for_interrupt();
    auto self = shared_from_this();
    while (done_ < target) {
        uint64_t look = kLookNs;
        if (help) {
            run_tasks(self, target);
            if (interrupted_.exchange(false) && interrupted()) return Waited::interrupted;
        } else {
            const uint64_t passed = now_ns() - start;
            if (passed >= at_most_ns) return Waited::timed_out;
            look = std::min(look, at_most_ns - passed);
        }
        if (done_ >= target) break;
        if (!wait_for(target, look, help) && interrupted()) {
            if (help) interrupt();
            return Waited::interrupted;
        }
    }
    if (aborts_ != aborts) return Waited::aborted;
    return main_thread && interrupted() ? Waited::interrupted : Waited::done;
}

} // namespace aclimb
