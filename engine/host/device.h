// SPDX-License-Identifier: Apache-2.0
// A device: its chip, its memory, and what the runtime keeps in that memory for itself.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/kernel.h"
#include "isolation/process.h"
#include "memory/global.h"
#include "ranks/ranks.h"

namespace aclimb {

struct Device {
    Device(uint64_t capacity, const ChipLimits& limits, bool isolated = false) : memory(capacity, isolated), chip(limits) {}
    void isolate(const std::string& program, Setup setup); // kernels run in a process of its own; throws std::runtime_error
    GlobalMemory memory;
    ChipLimits chip;
    std::unique_ptr<DeviceProcess> process;                 // of an isolated device
    std::atomic<Strictness> strictness{Strictness::strict}; // of launches that do not say
    std::shared_ptr<const Rank> ranks[kRankGroups];         // what it is in groups of devices that see each other's windows
    std::atomic<int64_t> pending{0};                        // tasks queued or running, over all streams
    std::atomic<uint32_t> completed{0};                     // counts task ends; waited on
    bool wait_idle(uint64_t at_most_ns = ~uint64_t{0});     // false: the time is up
    void ended_one();

    // Memory whose owner died while tasks were queued that may use it: released when the device is idle.
    void release_when_idle(uint64_t addr, uint32_t site);
    void release_the_dead();

    // Argument blocks with placeholder data. Those of the usual size are kept for the next launch. 0: no memory left.
    uint64_t take_block(uint64_t size);
    void give_block(uint64_t addr, uint64_t size);

  private:
    std::atomic<int> waiting_{0}; // threads in wait_idle
    std::atomic<bool> any_dead_{false};
    std::mutex mutex_;
    struct Dead {
        uint64_t addr;
        uint32_t site; // where its owner died
    };
    std::vector<Dead> dead_;
    std::vector<uint64_t> blocks_;
};

// An argument block in device memory.
struct ArgsBlock {
    ArgsBlock(std::shared_ptr<Device> owner, uint64_t at, uint64_t bytes) : device(std::move(owner)), addr(at), size(bytes) {}
    ~ArgsBlock();
    ArgsBlock(const ArgsBlock&) = delete;
    ArgsBlock& operator=(const ArgsBlock&) = delete;

    const std::shared_ptr<Device> device;
    const uint64_t addr, size;
};

} // namespace aclimb
