// SPDX-License-Identifier: Apache-2.0
// The program of an isolated device. Its descriptors are the control socket, global memory and the ring (isolation/ring.h); it has no
// environment and reads no file once its filter is closed.
#include <dirent.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <csignal>
#include <cstdlib>
#include <malloc.h>
#include <new>
#include <thread>
#include <vector>

#include "core/worker.h"
#include "host/pool.h"
#include "isa/simd.h"
#include "isolation/filter.h"
#include "memory/guarded.h"
#include "program/server.h"

using namespace aclimb;

namespace {

Ring* ring = nullptr;

[[noreturn]] void end(Words::Cause cause, uint32_t number) {
    ring->words.number = number;
    ring->words.cause = cause;
    _exit(kEndStatus);
}

void die(int signal, uint64_t what) {
    if (signal == SIGSYS) end(Words::system_call, static_cast<uint32_t>(what));
    end(Words::signal, static_cast<uint32_t>(signal));
}

// Whatever else the host left inheritable. posix_spawn can close them only since glibc 2.34, and wheels are linked for 2.28.
bool close_inherited() {
    if (syscall(SYS_close_range, kRingFd + 1, ~0U, 0) == 0) return true;
    DIR* folder = opendir("/proc/self/fd"); // a kernel before 5.9
    if (!folder) return false;
    std::vector<int> open;
    while (const dirent* entry = readdir(folder)) open.push_back(atoi(entry->d_name));
    closedir(folder);
    for (int fd : open)
        if (fd > kRingFd) close(fd);
    return true;
}

} // namespace

int main() {
    if (!close_inherited()) return 1;
    prctl(PR_SET_PDEATHSIG, SIGKILL); // its parent is a thread that lives as long as the host
    void* at = mmap(nullptr, sizeof(Ring), PROT_READ | PROT_WRITE, MAP_SHARED, kRingFd, 0);
    if (at == MAP_FAILED) return 1;
    ring = static_cast<Ring*>(at);
    mallopt(M_ARENA_MAX, 4);            // an arena takes addresses, which are counted
    mallopt(M_TRIM_THRESHOLD, INT_MAX); // to give a heap back, glibc reads how the system overcommits: a file, behind the filter
    std::set_new_handler([] { end(Words::memory, 0); });
    install_system_call_handler(die);
    install_fault_handlers();
    set_simd_level(ring->setup.simd);
    AddressRange::set_quarantine(ring->setup.quarantine);
    auto& server = *new Server(*ring);
    start_watchdog();
    Pool::instance().start(ring->setup.threads);
    server.start_threads();
    enter_worker();
    const int threads = 2 + ring->setup.threads + server.takers(); // this one, the watchdog, the pool's and those that take commands
    while (threads_set_up() < threads) std::this_thread::sleep_for(std::chrono::microseconds(200));
    if (!close_filter(ring->setup.memory_limit)) end(Words::no_start, 0);
    for (int fd : {0, 1, 2, kMemoryFd, kRingFd}) close(fd);
    ring->ready = 1;
    shared_wake(ring->ready);
    server.control();
}
