// SPDX-License-Identifier: Apache-2.0
// Whoever looks at what the program asks of its devices: a profile. (core/observer.h is for what runs inside a launch.) Those that are
// open see everything; a task keeps those that saw it queued.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace aclimb {

class Stream;
struct Task;

class QueueObserver {
  public:
    using List = std::vector<std::shared_ptr<QueueObserver>>;

    virtual ~QueueObserver() = default;
    virtual void queued(Stream&, Task&) {} // the stream is locked: in the order of its tasks
    virtual void ended(Task&, [[maybe_unused]] bool dropped) {}
    virtual void host_waited(Stream&) {}
    virtual void host_copied(const struct MemoryCopy&) {} // a copy that the host waited for

    static bool any() { return open_.load(std::memory_order_relaxed); }
    static List all();
    static void open(std::shared_ptr<QueueObserver> observer);
    static void close(const std::shared_ptr<QueueObserver>& observer);

    template <class Tell> static void tell(Tell tell) {
        if (__builtin_expect(!any(), 1)) return;
        for (const auto& each : all()) tell(*each);
    }

  private:
    static std::atomic<bool> open_;
};

} // namespace aclimb
