// SPDX-License-Identifier: Apache-2.0
// A profile: everything queued while it is open, and when the modelled device would do it.
//
// Tasks are timed one after the other in the order in which they were queued, whatever order the host runs them in; so the same program
// gives the same times. A task is timed as soon as it and all before it have ended.
#pragma once
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>

#include "host/queue_observer.h"
#include "timing/record.h"

namespace aclimb {
class Event;
struct Device;
} // namespace aclimb

namespace aclimb::timing {

constexpr uint32_t kHost = ~0u; // instead of a stream: the host itself

struct Item { // one task of a stream, or the host that waits for one
    enum class Kind : uint8_t { launch, copy, record_event, await_event, call, host_waits } kind = Kind::launch;
    enum class State : uint8_t { queued, ended, dropped } state = State::queued;
    uint32_t stream = 0;
    int32_t device = 0;
    std::shared_ptr<Kernel> kernel; // of a launch
    std::shared_ptr<Recording> recording;
    int64_t num_blocks = 0;
    uint64_t tiling_key = 0;
    const char* direction = ""; // of a copy: H2D, D2H, D2D, fill
    std::string label;          // of a call
    uint64_t bytes = 0;
    std::shared_ptr<Event> event;
    uint64_t ticket = 0;
};

struct Settled { // what the model says about an item
    Item::Kind kind;
    uint32_t stream;
    int32_t device;
    Time queued, start, end;
    const char* direction = "";
    uint64_t bytes = 0;
    int32_t launch = -1; // index in launches
    std::string label;
};

struct ProfiledLaunch {
    std::shared_ptr<Kernel> kernel;
    KernelType type;
    int64_t num_blocks;
    uint64_t tiling_key;
    uint32_t stream;
    int32_t device;
    Time start;
    LaunchTiming timing;
    std::vector<Tape> tapes; // when the trace is kept
    bool timing_only, failed;
    Clock::State clock;
    std::map<std::pair<bool, uint32_t>, std::shared_ptr<Image>> images; // of sub-kernels
};

class Session final : public QueueObserver {
  public:
    struct Options {
        bool trace = true, timing_only = false, sampled = false;
        bool scalar = true; // plain C++ takes time too
        uint64_t limit = 1ull << 30;
        int64_t blocks = 0; // every launch gets so many; 0: as many as it asks for
    };
    Session(const Parameters& parameters, const Options& options);

    bool wants_scalar() const override { return options.scalar; }
    void queued(Stream& stream, Task& task) override;
    void ended(Task& task, bool dropped) override;
    void host_waited(Stream& stream) override;
    void host_copied(const MemoryCopy& copy) override;

    bool settled() const; // nothing is left to be timed
    // How long a launch whose trace was kept would take with entries moved, each (core, from, to before which), from an empty L2.
    using Moved = std::tuple<uint32_t, uint32_t, uint32_t>;
    Time retime(size_t launch, const std::vector<Moved>& moves) const;
    const Options options;
    const Parameters parameters;
    // To be read when the session is closed and settled.
    std::vector<ProfiledLaunch> launches;
    std::vector<Settled> log;
    std::atomic<bool> cut{false};

  private:
    struct DeviceModel {
        explicit DeviceModel(uint64_t l2_bytes) : l2(l2_bytes) {}
        L2 l2;
        Time free = 0;
    };
    struct StreamModel {
        Time time = 0;
        bool used = false;
    };
    std::shared_ptr<Item> item_of(Task& task, const Device& device);
    std::shared_ptr<Item> launch_item(Launch& launch);
    void follow_clock(Recording& recording, const std::shared_ptr<Item>& item, bool values_steer);
    std::vector<std::vector<uint64_t>> clock_of(const Item& item, const Work& work);
    void put(const std::shared_ptr<Item>& item, Stream& stream);
    void end(const std::shared_ptr<Item>& item, bool dropped);
    void settle();
    void settle(Item& item);
    Time time_launch(Item& item, Time start);
    Time time_copy(const Item& item) const;

    mutable std::mutex mutex_; // items and numbers
    std::mutex settling_;
    std::deque<std::shared_ptr<Item>> items_;
    std::map<uint32_t, std::shared_ptr<Item>> by_task_; // those that have not ended
    std::map<uint64_t, uint32_t> stream_numbers_;
    std::map<const Device*, int32_t> device_numbers_;
    std::map<int32_t, std::unique_ptr<DeviceModel>> devices_;
    std::map<uint32_t, StreamModel> streams_;
    std::map<std::pair<const Event*, uint64_t>, Time> stamps_;
    std::shared_ptr<Budget> budget_;
    Time host_ = 0; // what the host has waited for so far
};

} // namespace aclimb::timing
