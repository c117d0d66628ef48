// SPDX-License-Identifier: Apache-2.0
// Launches under provoking schedules. Each runs as always, then again and again from the same memory, and what it leaves is compared with
// what it left the first time. The program goes on with the first result, and knows nothing of the others.
//
// State map
//   before_  device memory as the launch found it
//   wanted_  ... as the plain run left it
//   kept_    output and warnings of the plain run
//
// While a session is open a task runs on the thread that queues it, where nothing holds it up, and copies wait for a launch to end:
// memory must not change between two runs. Nothing else in the engine waits for Python; a session does, and has its lock meanwhile.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/launch.h"
#include "core/schedule.h"
#include "host/queue_observer.h"
#include "memory/global.h"

namespace aclimb {

// What lay in some allocations, which stay pinned by whoever has it taken.
class MemoryImage {
  public:
    explicit MemoryImage(const std::vector<Allocation>& allocations);
    void put_back() const;
    struct Difference {
        uint64_t base = 0, begin = 0, end = 0; // the allocation, and bytes [begin, end): the first stretch, in whole 32-byte blocks
    };
    std::optional<Difference> first_difference() const; // from what lies there now

  private:
    struct Piece {
        uint64_t addr, size, asked;
        std::vector<std::unique_ptr<uint8_t[]>> chunks; // null: zeros
    };
    std::vector<Piece> pieces_;
};

class Provoked {
  public:
    using RunCores = std::function<void()>;
    Provoked(Launch& launch, GlobalMemory& memory, RunCores run);
    ~Provoked();
    Provoked(const Provoked&) = delete;
    Provoked& operator=(const Provoked&) = delete;

    enum class Begun : uint8_t { ready, failed, changes }; // changes: two plain runs do not leave the same
    Begun begin();

    struct Outcome {
        std::optional<MemoryImage::Difference> difference;
        std::optional<Fault> fault;
    };
    Outcome run(const std::shared_ptr<Schedule>& schedule);

    Launch& launch;
    bool interrupted = false; // by Ctrl-C: there is no point in going on

  private:
    void run_plainly();
    void again(const MemoryImage& before); // from the memory that the launch found

    GlobalMemory& memory_;
    const RunCores run_cores_;
    const bool one_worker_;
    std::vector<Allocation> pinned_;
    std::optional<MemoryImage> before_, wanted_;
    struct {
        std::vector<std::string> output;
        std::vector<Fault> notes;
    } kept_;
};

class ProvokeSession final : public QueueObserver {
  public:
    using Call = std::function<void(Provoked&)>;
    explicit ProvokeSession(Call call) : call_(std::move(call)) {}

    bool runs(Launch& launch, GlobalMemory& memory, const std::function<void()>& run_cores) override;
    void open();
    static void close(const std::shared_ptr<ProvokeSession>& session);

    std::atomic<uint64_t> passed_over{0}; // launches that somebody else looks at, or that wait for other devices

    static bool any() { return open_.load(std::memory_order_relaxed); }
    // Device memory is the caller's alone; there is nothing to wait for where no session is open. Whoever writes there by itself, and not
    // as a kernel, asks for it.
    static std::unique_lock<std::recursive_mutex> quiet();
    // How a thread waits for it that may hold Python's lock: the one that has the memory needs Python meanwhile.
    static inline void (*wait)(std::recursive_mutex& mutex) = [](std::recursive_mutex& mutex) { mutex.lock(); };

  private:
    const Call call_;
    static std::atomic<int> open_;
};

} // namespace aclimb
