// SPDX-License-Identifier: Apache-2.0
// Streams, events and the host: which task has ended before another begins. A stream's tasks are in order; two streams are only by events,
// the host only by waiting. A synchronous copy and a free are things the host does at that moment, whatever the streams are doing.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace aclimb::check {

struct Box { // bytes of global memory
    uint64_t begin, end;
    bool writes;
};

// Sorted, and joined where they touch.
void join_boxes(std::vector<Box>& boxes);

struct HostTask {
    enum class Kind : uint8_t { launch, copy, fill, free } kind = Kind::launch;
    bool by_host = false;
    uint64_t agent = 0, number = 0; // a stream or a thread of the host, and which of its tasks
    int32_t launch = -1;            // its number among those that were checked
    uint32_t site = 0;              // the place in the host program
    std::vector<Box> boxes;         // of a launch: when it has ended
};

struct HostConflict {
    size_t first, second; // tasks
    uint64_t begin, end;
    bool both_write;
};

class HostOrder {
  public:
    size_t task(uint64_t stream, uint64_t thread, HostTask task); // is queued; its number in tasks()
    size_t by_host(uint64_t thread, HostTask task);               // happens now
    void record(uint64_t stream, uint64_t thread, const void* event, uint64_t ticket);
    void await(uint64_t stream, uint64_t thread, const void* event, uint64_t ticket);
    void host_waited(uint64_t thread, uint64_t stream);
    void host_waited(uint64_t thread, const void* event, uint64_t ticket);
    void host_waited_for_all(uint64_t thread);

    std::vector<HostTask>& tasks() { return tasks_; }
    const std::vector<HostTask>& tasks() const { return tasks_; }
    std::vector<HostConflict> conflicts() const; // when all have ended; in the order of their tasks

  private:
    using Known = std::map<uint64_t, uint64_t>; // by agent: how many of its tasks have ended
    struct Line {
        Known known;
        uint64_t tasks = 0;
        std::vector<size_t> all; // its tasks
    };
    static constexpr uint64_t kHost = uint64_t{1} << 63;
    static constexpr size_t kMostPairs = 1 << 18;
    static void join(Known& to, const Known& from);
    Known& thread(uint64_t number) { return lines_[kHost | number].known; }
    size_t add(uint64_t agent, HostTask task);
    void pair_up(size_t number, const Known& known);

    std::map<uint64_t, Line> lines_; // streams and threads
    std::map<std::pair<const void*, uint64_t>, Known> events_;
    std::vector<HostTask> tasks_;
    std::vector<std::pair<size_t, size_t>> unordered_;
};

} // namespace aclimb::check
