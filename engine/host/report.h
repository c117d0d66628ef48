// SPDX-License-Identifier: Apache-2.0
// Host callbacks: a task of a stream hands a call to the queue of the thread that subscribed to the stream; that thread runs it.
#pragma once
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

namespace aclimb {

class Stream;
class ReportQueue;

struct Call {
    uint64_t id = 0; // the caller's name for what is to be run
    bool blocking = false;
    std::string label;   // of an operator that the host computes; "" for a callback
    std::string failure; // why it could not, set before finish()
    uint32_t site = 0;   // the place in the host program that queued it
    std::shared_ptr<ReportQueue> queue;
    std::weak_ptr<Stream> stream;
    std::atomic<bool> posted{false}, finished{false};
    void finish(); // lets a stream that waits for it go on
};

class ReportQueue {
  public:
    void put(std::shared_ptr<Call> call);
    std::shared_ptr<Call> take(uint64_t at_most_ns); // null: nothing came in time
    void close();                                    // what is queued, and what still comes, counts as run

  private:
    std::mutex mutex_;
    std::deque<std::shared_ptr<Call>> calls_;
    bool closed_ = false;
    std::atomic<uint32_t> arrived_{0};
};

} // namespace aclimb
