// SPDX-License-Identifier: Apache-2.0
// The host's side of an isolated device: hands launches to its process, believes nothing that comes back, and starts a new process when
// the last one is gone. Streams, events, copies and allocations stay with the host.
#pragma once
#include <memory>
#include <mutex>
#include <string>

#include "core/launch.h"
#include "isolation/living.h"

namespace aclimb {

class DeviceProcess {
  public:
    DeviceProcess(GlobalMemory& memory, std::string program, const Setup& setup);
    ~DeviceProcess();

    void run(Launch& launch); // to its end; the launch has its fault, its notes and what it printed
    int starts() const { return starts_; }
    pid_t id();  // of the process that runs now; 0: none does
    void stop(); // the next launch starts a new process

  private:
    std::shared_ptr<Living> living(); // throws std::runtime_error when none can be started
    void run_in(Living& process, Launch& launch);
    static void define(Living& process, Launch& launch);
    static uint64_t define_watch(Living& process, Launch& launch);
    static uint64_t define_image(Living& process, const std::shared_ptr<Image>& image, Launch& launch);
    static void send(Living& process, Definition definition, int fd, Launch& launch);
    void tell_changes(Living& process);
    static uint32_t take_exchange(Living& process);
    static void give_command(Living& process, Exchange& exchange, const Launch& launch, uint64_t watch);
    bool take_answer(Living& process, Exchange& exchange, Launch& launch);
    bool await(Living& process, Exchange& exchange, Launch& launch, uint32_t& state);
    static bool out_of_patience(Living& process, Launch& launch, Exchange* exchange, uint64_t& cancelled_ns);

    GlobalMemory& memory_;
    const std::string program_;
    const Setup setup_;
    std::mutex mutex_;
    std::shared_ptr<Living> living_;
    std::atomic<int> starts_{0};
};

} // namespace aclimb
