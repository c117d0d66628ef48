// SPDX-License-Identifier: Apache-2.0
// The device process: takes commands from the ring, runs the cores of a launch as the host itself would, and writes down what came of it.
#pragma once
#include <atomic>
#include <map>
#include <memory>
#include <mutex>

#include "core/launch.h"
#include "isolation/ring.h"
#include "isolation/watch.h"

namespace aclimb {

class Server {
  public:
    explicit Server(Ring& ring);
    void start_threads();        // and waits until each of them is ready for a filter
    int takers() const;          // of commands
    [[noreturn]] void control(); // definitions, until the host is gone

    static std::shared_ptr<Image> image(uint64_t id);

  private:
    void serve();
    bool take_one(Launch& launch);
    void run(Exchange& exchange, Launch& launch);
    void answer(Exchange& exchange, const Launch& launch);
    bool has_memory_left() const;
    void apply_changes();
    void tick();
    void define(const Definition& definition, int fd);
    void reply(uint32_t number, const char* failure);
    std::shared_ptr<Kernel> kernel(uint64_t id);
    void watch(Launch& launch, uint64_t id, Watch& to);

    Ring& ring_;
    GlobalMemory memory_;
    uint64_t applied_ = 0; // changes
    std::mutex changing_, kernels_mutex_, active_mutex_;
    std::map<uint64_t, std::shared_ptr<Kernel>> kernels_;
    std::map<uint64_t, std::shared_ptr<Image>> images_;
    std::map<uint64_t, std::vector<uint8_t>> watches_; // under kernels_mutex_: of launches that have not begun
    Launch* active_[kExchanges] = {};
    std::atomic<int> started_{0};
    std::atomic<bool> somebody_awake_{false};
};

} // namespace aclimb
