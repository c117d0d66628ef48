// SPDX-License-Identifier: Apache-2.0
// A check: every launch that is queued while it is open gets a checker of its own, and what the host does is put in order with them.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "check/host_order.h"
#include "check/launch_check.h"
#include "core/kernel.h"
#include "host/queue_observer.h"

namespace aclimb::check {

struct CheckedLaunch {
    std::shared_ptr<Kernel> kernel;
    std::shared_ptr<LaunchCheck> check;
    std::vector<uint64_t> args;
    int64_t num_blocks = 0;
    uint64_t tiling_key = 0;
    uint64_t stream = 0; // its serial number
    uint32_t site = 0;   // the place in the host program that launched it
    size_t task = 0;     // its number in the host's order
    bool ended = false, dropped = false;
    bool claimed = false; // it ran in the process of an isolated device, which may say anything
};

struct Conflict {
    FindingKind kind; // streams, host_access or freed_too_early
    HostTask first, second;
    uint64_t begin, end;
    bool both_write;
};

class CheckSession final : public QueueObserver {
  public:
    explicit CheckSession(const Options& options) : options(options) {}

    bool wants_scalar() const override { return true; }
    void queued(Stream& stream, Task& task) override;
    void ended(Task& task, bool dropped) override;
    void host_waited(Stream& stream) override;
    void host_waited_for(const Event& event, uint64_t ticket) override;
    void host_waited_for_all() override;
    void host_copied(const MemoryCopy& copy) override;
    void allocated(uint64_t addr, uint64_t size) override { values_.allocated(addr, size); }
    void freeing(uint64_t addr, uint64_t size, uint32_t site) override;

    const Options options;
    bool settled() const; // nothing that was queued is left to run
    std::vector<std::shared_ptr<CheckedLaunch>> launches() const;
    // When it is settled: tasks of two streams, or of a stream and the host, that touch the same bytes in no order.
    std::vector<Conflict> conflicts() const;

  private:
    mutable std::mutex mutex_;
    HostOrder order_;
    GlobalValues values_;
    std::vector<std::shared_ptr<CheckedLaunch>> launches_;
    std::map<uint32_t, std::shared_ptr<CheckedLaunch>> running_; // by task
};

} // namespace aclimb::check
