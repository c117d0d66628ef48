// SPDX-License-Identifier: Apache-2.0
// What a stream can hold. A launch is filled in and reused by its stream; the others are small.
#pragma once
#include <memory>
#include <variant>

#include "core/launch.h"
#include "host/copy.h"
#include "host/device.h"
#include "host/event.h"
#include "host/queue_observer.h"
#include "host/report.h"

namespace aclimb {

struct RecordEvent {
    std::shared_ptr<Event> event;
    uint64_t ticket;
};

struct ResetEvent {
    std::shared_ptr<Event> event;
};

struct AwaitEvent {
    std::shared_ptr<Event> event;
    uint64_t ticket;
    uint64_t limit_ns; // 0: none
    uint64_t since_ns = 0;
    bool registered = false;
};

using Work = std::variant<Launch*, std::unique_ptr<MemoryCopy>, RecordEvent, ResetEvent, AwaitEvent, std::shared_ptr<Call>>;

struct Task {
    Work work;
    uint32_t id = 0;
    uint32_t thread = 0; // that queued it
    QueueObserver::List observers;
};

struct TaskError {
    Fault fault;
    std::shared_ptr<Kernel> kernel; // null: not a launch
    uint32_t task = 0;
    uint32_t thread = 0;
    std::shared_ptr<ArgsBlock> args; // what the kernel was given; null: nothing, or no memory to keep it
    uint32_t site = 0;               // the place in the host program that queued it
};

// What the streams of one context share. In stop mode the first failure ends all of them for good.
struct ContextState {
    std::atomic<bool> stop_mode{false}, stopped{false};
};

} // namespace aclimb
