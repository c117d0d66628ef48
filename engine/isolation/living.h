// SPDX-License-Identifier: Apache-2.0
// One device process from its start to its end, and the thread that keeps an eye on all of them.
#pragma once
#include <sys/types.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "isolation/ring.h"

namespace aclimb {

// Why there is none, or no more; the first reason counts.
enum class Ended : uint32_t { no, by_itself, time_limit, interrupted, memory, nonsense };

class Living {
  public:
    // Starts the program; throws std::runtime_error when it does not come up. On the keeper's thread only: the process dies with its parent
    // thread.
    Living(const std::string& program, const Setup& setup, GlobalMemory& memory);
    ~Living();
    Living(const Living&) = delete;
    Living& operator=(const Living&) = delete;

    bool is_dead() const { return ended_ != Ended::no; }
    void end(Ended why, const std::string& words); // kills it; returns when it is gone
    void look();                                   // has it ended, does it take more than it may
    std::string last_words();                      // of one that is dead: half a sentence
    bool is_intact() const;                        // what the host wrote into the ring is still there, and nobody answers unasked
    Ended ended() const { return ended_; }
    pid_t id() const { return pid_; }

    Ring* ring = nullptr;
    int control = -1; // the socket for definitions
    std::atomic<uint64_t> last_answer_ns{0};

    // Under `defining`:
    std::mutex defining;
    uint32_t definitions = 0;
    uint64_t last_image = 0, last_watch = 0;
    struct Known {
        std::weak_ptr<void> object;
        uint64_t id;
    };
    std::map<const void*, Known> images, kernels; // that it has

    std::atomic<uint32_t> used{0}; // exchanges, a bit each

    std::mutex changing;               // who writes changes:
    std::vector<MemoryChange> changes; // of its memory, that it has not been told yet
    std::atomic<bool> has_changes{false};
    std::atomic<uint64_t> changes_written{0}; // as the ring should have it

  private:
    void spawn(const std::string& program, int control_there, int ring_fd);
    void wait_ready();
    bool reap(bool wait);
    void end_now(Ended why, const std::string& words); // the lock is held
    std::string words_of_status() const;
    void wake_waiters();

    GlobalMemory& memory_;
    const Setup setup_;
    pid_t pid_ = -1;
    int pidfd_ = -1;
    std::mutex mutex_;
    std::atomic<Ended> ended_{Ended::no};
    std::string words_;
    int status_code_ = 0, status_ = 0;
    bool reaped_ = false;
};

class Keeper {
  public:
    static Keeper& instance();
    // Both from any thread. `start` waits until the process is up, and throws as Living does.
    std::shared_ptr<Living> start(const std::string& program, const Setup& setup, GlobalMemory& memory);

  private:
    void serve();
    void look();
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::function<void()>> jobs_;
    std::vector<std::weak_ptr<Living>> living_;
    bool started_ = false;
};

} // namespace aclimb
