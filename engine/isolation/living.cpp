// SPDX-License-Identifier: Apache-2.0
#include "isolation/living.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "core/worker.h"

namespace aclimb {
namespace {

constexpr uint64_t kStartNs = 30000000000;

struct Descriptor { // closed when nobody needs it any more
    int fd = -1;
    ~Descriptor() {
        if (fd >= 0) close(fd);
    }
};

// Above those that the process itself will have, so that none is overwritten before it is copied.
int raised(int fd) {
    const int higher = fcntl(fd, F_DUPFD_CLOEXEC, 16);
    close(fd);
    return higher;
}

int make_ring() {
    const int fd = raised(memfd_create("aclimb ring", MFD_CLOEXEC));
    if (fd < 0 || ftruncate(fd, sizeof(Ring)) != 0) throw std::runtime_error("there is no memory for the ring of an isolated device");
    return fd;
}

Ring* map_ring(int fd) {
    void* at = mmap(nullptr, sizeof(Ring), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (at == MAP_FAILED) throw std::runtime_error("there is no memory for the ring of an isolated device");
    return static_cast<Ring*>(at);
}

} // namespace

Living::Living(const std::string& program, const Setup& setup, GlobalMemory& memory) : memory_(memory), setup_(setup) {
    const Descriptor ring_fd{make_ring()};
    ring = map_ring(ring_fd.fd);
    memcpy(&ring->setup, &setup_, sizeof setup_); // what lies between its members, too: all of it is compared later
    int ends[2] = {-1, -1};
    try {
        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
            throw std::runtime_error("there is no socket for an isolated device");
        control = raised(ends[0]);
        const Descriptor there{raised(ends[1])};
        spawn(program, there.fd, ring_fd.fd);
        wait_ready();
    } catch (...) {
        if (pid_ > 0) end(Ended::by_itself, "it did not start");
        munmap(ring, sizeof(Ring));
        close(control);
        if (pidfd_ >= 0) close(pidfd_);
        throw;
    }
}

Living::~Living() {
    end(Ended::by_itself, "its device was closed");
    munmap(ring, sizeof(Ring));
    close(control);
    close(pidfd_);
}

// A program of its own, not a copy of this one: no memory and no environment of the host's, and signals as at the start. Descriptors
// that the host left inheritable it closes first of all (program/main.cpp).
void Living::spawn(const std::string& program, int control_there, int ring_fd) {
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    for (int fd : {0, 1, 2}) posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_RDWR, 0);
    posix_spawn_file_actions_adddup2(&files, control_there, kControlFd);
    const Descriptor memory_fd{fcntl(memory_.fd(), F_DUPFD_CLOEXEC, 16)};
    posix_spawn_file_actions_adddup2(&files, memory_fd.fd, kMemoryFd);
    posix_spawn_file_actions_adddup2(&files, ring_fd, kRingFd);
    posix_spawnattr_t how;
    posix_spawnattr_init(&how);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setsigdefault(&how, &all);
    posix_spawnattr_setpgroup(&how, 0); // Ctrl-C at the terminal is for the host
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    char name[] = "aclimb_device";
    char* const words[] = {name, nullptr};
    char* const environment[] = {nullptr};
    const int failed = posix_spawn(&pid_, program.c_str(), &files, &how, words, environment);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&how);
    if (failed) {
        pid_ = -1;
        throw std::runtime_error("the device process " + program + " cannot be started: " + strerror(failed));
    }
    pidfd_ = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
}

void Living::wait_ready() {
    const uint64_t until = now_ns() + kStartNs;
    while (!ring->ready && now_ns() < until && !reap(false)) shared_wait(ring->ready, 0, 10000000);
    if (ring->ready) return;
    const auto words =
        std::string(ring->words.cause == Words::no_start ? "this system does not let it set a seccomp filter and limits of its own"
                                                         : words_of_status());
    throw std::runtime_error("the device process did not start: " + words);
}

// True: it is gone. Somebody else in this process may have waited for it first; then its status is lost, and it is gone all the same.
bool Living::reap(bool wait) {
    if (reaped_) return true;
    siginfo_t info{};
    int result;
    do result = waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | (wait ? 0 : WNOHANG));
    while (result != 0 && errno == EINTR);
    if (result == 0 && info.si_pid == 0) return false;
    status_code_ = result == 0 ? info.si_code : 0;
    status_ = info.si_status;
    return reaped_ = true;
}

std::string Living::words_of_status() const {
    const uint32_t cause = ring->words.cause, number = ring->words.number;
    if (status_code_ == CLD_EXITED && status_ == kEndStatus) {
        if (cause == Words::system_call)
            return "code outside of the kernel's own asked the operating system for call " + std::to_string(number);
        if (cause == Words::signal) return "it broke down outside of the kernel's own code, with signal " + std::to_string(number);
        if (cause == Words::memory) return "it asked for more memory than ACLIMB_ISOLATED_MEMORY allows";
        return "it ended itself";
    }
    if (status_code_ == CLD_EXITED) return "it ended itself with status " + std::to_string(status_);
    if (status_code_ == CLD_KILLED || status_code_ == CLD_DUMPED) return "it was ended by signal " + std::to_string(status_);
    return "it is gone";
}

void Living::end(Ended why, const std::string& words) {
    std::lock_guard lock(mutex_);
    end_now(why, words);
}

void Living::end_now(Ended why, const std::string& words) {
    if (is_dead()) return;
    if (!reaped_) {
        kill(pid_, SIGKILL);
        reap(true);
    }
    words_ = words;
    ended_ = why;
    wake_waiters();
}

void Living::look() {
    std::lock_guard lock(mutex_);
    if (is_dead()) return;
    if (reap(false)) {
        words_ = words_of_status();
        ended_ = Ended::by_itself;
        wake_waiters();
        return;
    }
    if (memory_.resident() <= memory_.used() + setup_.memory_limit || memory_.resident() <= memory_.promised() + setup_.memory_limit)
        return;
    end_now(Ended::memory, "it filled global memory that nobody had allocated");
    memory_.drop_strays();
}

bool Living::is_intact() const {
    if (memcmp(&ring->setup, &setup_, sizeof setup_) != 0 || // NOLINT(bugprone-suspicious-memory-comparison)
        ring->ready != 1)
        return false;
    const uint64_t applied = ring->changes_applied;
    if (applied > changes_written) return false;
    for (uint32_t i = 0; i < kExchanges; i++)
        if (!(used & 1u << i) && ring->exchanges[i].state != Exchange::empty && !(used & 1u << i)) return false;
    return true;
}

void Living::wake_waiters() {
    shared_wake(ring->reply.number);
    for (Exchange& each : ring->exchanges) shared_wake(each.state);
}

std::string Living::last_words() {
    std::lock_guard lock(mutex_);
    return words_;
}

} // namespace aclimb
