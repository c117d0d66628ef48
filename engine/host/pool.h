// SPDX-License-Identifier: Apache-2.0
// The host's threads. An idle one takes a stream that has tasks, or helps a launch that has more cores than hands.
#pragma once
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

namespace aclimb {

class Stream;
struct Launch;

class Pool {
  public:
    static Pool& instance(); // never destroyed: its threads may outlive static destruction
    void start(int threads); // once; later calls are ignored
    int threads() const { return threads_; }
    static bool forked(); // this process is a child of the one that started the pool: nothing queued will ever run here

    void submit(std::shared_ptr<Stream> stream);
    void run(Launch& launch); // to its end, with the help of idle threads
    void call_helpers();      // wakes those who sleep
    bool help_any();          // takes part in a launch that wants help; false when there is none
    // The same, by a thread that waits; only_long: only where waking another would be worth it.
    bool help_while_waiting(bool only_long);

  private:
    void serve();
    Launch* join(uint64_t at_least_ns);
    void take_part(Launch& launch);
    void leave(Launch& launch);
    bool serve_once();
    void spin(uint32_t seen); // for a while, until generation_ moves on
    void notify(int count);
    void start_thread();
    struct Stay; // while a launch waits for other ranks

    int threads_ = 1;
    int staying_ = 0, more_ = 0; // launches that keep their thread; threads beyond threads_
    std::mutex mutex_;
    std::deque<std::shared_ptr<Stream>> ready_;
    struct Active {
        Launch* launch;
        int helpers;
    };
    std::vector<Active> active_;
    std::atomic<uint32_t> generation_{0}, left_{0};
    std::atomic<int> asleep_{0}, spinning_{0};
    std::atomic<bool> stays_awake_{false};
};

} // namespace aclimb
