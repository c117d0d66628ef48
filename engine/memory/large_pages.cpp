// SPDX-License-Identifier: Apache-2.0
#include "memory/large_pages.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "memory/global.h"
#include "memory/pages.h"
#include "memory/thread_id.h"

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

namespace aclimb {
namespace {

constexpr auto kLook = std::chrono::milliseconds(10);
constexpr int kTries = 3; // a page that somebody holds just now may be free the next time

struct Watched {
    GlobalMemory* memory;
    uint64_t seen = 0;                              // bytes it held when all of it had been looked at
    std::map<uint64_t, std::vector<uint8_t>> tried; // by number of the allocation: each 2 MiB, kTries when it is settled
};

// Leaked on purpose: the thread outlives static destruction.
std::mutex& mutex = *new std::mutex;
std::vector<Watched>& all = *new std::vector<Watched>;
bool started = false, refused = false;

// False: this system has no such call, or forbids it.
bool ask(uint64_t addr, uint8_t& tries) {
    (void)*reinterpret_cast<volatile uint8_t*>(addr); // this process has to have a table for it
    if (madvise(reinterpret_cast<void*>(addr), kHuge, MADV_COLLAPSE) == 0) tries = kTries;
    else if (errno == EAGAIN || errno == EBUSY || errno == ENOMEM) tries++;
    else return false;
    return true;
}

// The first piece of 2 MiB at or behind `addr` that holds something and is not settled; `end`: none.
uint64_t next_of(const GlobalMemory& memory, const Allocation& piece, const std::vector<uint8_t>& tried, uint64_t addr, uint64_t end) {
    while (addr < end) {
        if (tried[(addr - piece.addr) / kHuge] >= kTries) {
            addr += kHuge;
            continue;
        }
        const off_t at = lseek(memory.fd(), static_cast<off_t>(addr - memory.begin()), SEEK_DATA);
        if (at < 0) return end;
        const uint64_t found = std::max(addr, memory.begin() + static_cast<uint64_t>(at)) & ~(kHuge - 1);
        if (found == addr) return addr;
        addr = found;
    }
    return end;
}

// One piece of 2 MiB. False: there is none left to ask for.
bool step(Watched& watched) {
    GlobalMemory& memory = *watched.memory;
    const uint64_t resident = memory.resident();
    if (resident == watched.seen) return false;
    for (const Allocation& piece : memory.large()) {
        auto& tried = watched.tried[piece.number];
        tried.resize(piece.size / kHuge);
        const uint64_t end = piece.addr + piece.size / kHuge * kHuge;
        const uint64_t addr = next_of(memory, piece, tried, piece.addr, end);
        if (addr == end || !memory.pin(addr, kHuge)) continue;
        refused = !ask(addr, tried[(addr - piece.addr) / kHuge]);
        memory.unpin(addr);
        return !refused;
    }
    watched.seen = resident;
    const auto pieces = memory.large();
    std::erase_if(watched.tried, [&](const auto& each) {
        return std::none_of(pieces.begin(), pieces.end(), [&](const Allocation& piece) { return piece.number == each.first; });
    });
    return false;
}

void serve() {
    setpriority(PRIO_PROCESS, static_cast<id_t>(thread_id()), 10); // of this thread: kernels come first
    for (;;) {
        bool more = false;
        {
            std::lock_guard lock(mutex);
            for (Watched& each : all) more |= !refused && step(each);
            if (refused) return;
        }
        if (more) std::this_thread::yield();
        else std::this_thread::sleep_for(kLook);
    }
}

} // namespace

void want_large_pages(GlobalMemory& memory) {
    std::lock_guard lock(mutex);
    if (refused) return;
    all.push_back({&memory, 0, {}});
    if (std::exchange(started, true)) return;
    sigset_t every, before;
    sigfillset(&every);
    pthread_sigmask(SIG_BLOCK, &every, &before);
    std::thread(serve).detach();
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void forget_large_pages(GlobalMemory& memory) {
    std::lock_guard lock(mutex);
    std::erase_if(all, [&](const Watched& each) { return each.memory == &memory; });
}

} // namespace aclimb
