// SPDX-License-Identifier: Apache-2.0
#include "host/device.h"

#include "core/futex.h"
#include "core/worker.h"
#include "host/pool.h"

namespace aclimb {
namespace {

constexpr uint64_t kArgsBlock = 4096;

} // namespace

void Device::isolate(const std::string& program, Setup setup) {
    setup.base = memory.begin();
    setup.reserved = memory.end() - memory.begin();
    setup.chip = chip;
    process = std::make_unique<DeviceProcess>(memory, program, setup);
}

bool Device::wait_idle(uint64_t at_most_ns) {
    const uint64_t start = now_ns();
    waiting_++;
    while (pending && now_ns() - start <= at_most_ns) {
        const uint32_t seen = completed;
        if (pending && !Pool::instance().help_while_waiting(false)) futex_wait(completed, seen, 1000000);
    }
    waiting_--;
    if (pending) return false;
    if (any_dead_) release_the_dead(); // whoever ended the last task may not have come to it yet
    return true;
}

void Device::ended_one() {
    completed++;
    if (--pending) return;
    if (waiting_) futex_wake(completed);
    if (any_dead_) release_the_dead();
}

void Device::release_when_idle(uint64_t addr, uint32_t site) {
    {
        std::lock_guard lock(mutex_);
        dead_.push_back({addr, site});
        any_dead_ = true;
    }
    release_the_dead();
}

void Device::release_the_dead() {
    std::lock_guard lock(mutex_);
    if (pending) return;
    for (const Dead& each : dead_) memory.release(each.addr, Owner::object, each.site);
    dead_.clear();
    any_dead_ = false;
}

uint64_t Device::take_block(uint64_t size) {
    if (size > kArgsBlock) return memory.allocate(size, 0, Owner::runtime);
    {
        std::lock_guard lock(mutex_);
        if (!blocks_.empty()) {
            const uint64_t addr = blocks_.back();
            blocks_.pop_back();
            return addr;
        }
    }
    return memory.allocate(kArgsBlock, 0, Owner::runtime);
}

void Device::give_block(uint64_t addr, uint64_t size) {
    if (size > kArgsBlock) {
        memory.release(addr, Owner::runtime);
        return;
    }
    std::lock_guard lock(mutex_);
    blocks_.push_back(addr);
}

ArgsBlock::~ArgsBlock() {
    if (!Pool::forked()) device->give_block(addr, size); // in a forked child its lock may be held for good
}

} // namespace aclimb
