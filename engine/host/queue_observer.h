// SPDX-License-Identifier: Apache-2.0
// Whoever looks at what the program asks of its devices: a profile. (core/observer.h is for what runs inside a launch.) Those that are
// open see everything; a task keeps those that saw it queued.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace aclimb {

class Event;
class GlobalMemory;
class Stream;
struct Launch;
struct Task;

class QueueObserver {
  public:
    using List = std::vector<std::shared_ptr<QueueObserver>>;

    virtual ~QueueObserver() = default;
    virtual bool wants_scalar() const { return false; } // as Observer's, for the launches queued while it is open; never changes
    virtual void queued(Stream&, Task&) {}              // the stream is locked: in the order of its tasks
    virtual void ended(Task&, [[maybe_unused]] bool dropped) {}
    // True: it has run the launch itself, to its end and as often as it liked; false: the stream runs it.
    virtual bool runs(Launch&, GlobalMemory&, [[maybe_unused]] const std::function<void()>& run_cores) { return false; }
    virtual void host_waited(Stream&) {}
    virtual void host_waited_for(const Event&, [[maybe_unused]] uint64_t ticket) {}
    virtual void host_waited_for_all() {}                 // tasks of a device
    virtual void host_copied(const struct MemoryCopy&) {} // a copy that the host waited for
    virtual void allocated([[maybe_unused]] uint64_t addr, [[maybe_unused]] uint64_t size) {}
    virtual void freeing([[maybe_unused]] uint64_t addr, [[maybe_unused]] uint64_t size, [[maybe_unused]] uint32_t site) {}

    static bool any() { return open_.load(std::memory_order_relaxed); }
    static bool any_wants_scalar() { return scalar_.load(std::memory_order_relaxed); }
    static List all();
    static void open(std::shared_ptr<QueueObserver> observer);
    static void close(const std::shared_ptr<QueueObserver>& observer);

    template <class Tell> static void tell(Tell tell) {
        if (__builtin_expect(!any(), 1)) return;
        for (const auto& each : all()) tell(*each);
    }

  private:
    static void count();
    static std::atomic<bool> open_, scalar_;
};

} // namespace aclimb
