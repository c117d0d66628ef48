// SPDX-License-Identifier: Apache-2.0
#include "isolation/filter.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <vector>

#include "core/worker.h"
#include "isolation/ring.h"

namespace aclimb {
namespace {

#if defined(__x86_64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#else
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#endif

constexpr uint32_t offset_of_argument(int index) { return offsetof(seccomp_data, args) + static_cast<uint32_t>(index) * 8; }

class Filter {
  public:
    Filter() {
        load(offsetof(seccomp_data, arch));
        add(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0);
        add(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
        load(offsetof(seccomp_data, nr));
#if defined(__x86_64__)
        add(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1); // the 32-bit pointers of x32
        add(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
#endif
    }
    void allow(long call) {
        add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0, 1);
        add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    }
    // Only with this value of an argument; the others are refused below.
    void allow_with(long call, int index, uint32_t value) {
        add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0, 4);
        load(offset_of_argument(index));
        add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
        add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
        load(offsetof(seccomp_data, nr));
    }
    // A signal for a thread of this process.
    void allow_signal(long call, uint32_t process, uint32_t signal) {
        add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0, 6);
        load(offset_of_argument(0));
        add(BPF_JMP | BPF_JEQ | BPF_K, process, 0, 3);
        load(offset_of_argument(2));
        add(BPF_JMP | BPF_JEQ | BPF_K, signal, 0, 1);
        add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
        load(offsetof(seccomp_data, nr));
    }
    bool close() {
        add(BPF_RET | BPF_K, SECCOMP_RET_TRAP); // told to the kernel that called, with its line
        sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
        return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
    }

  private:
    void load(uint32_t offset) { add(BPF_LD | BPF_W | BPF_ABS, offset); }
    void add(uint16_t what, uint32_t value, uint8_t if_true = 0, uint8_t if_false = 0) {
        code_.push_back({what, if_true, if_false, value});
    }
    std::vector<sock_filter> code_;
};

uint64_t mapped_bytes() {
    unsigned long pages = 0;
    if (FILE* file = fopen("/proc/self/statm", "r")) {
        if (fscanf(file, "%lu", &pages) != 1) pages = 0;
        fclose(file);
    }
    return static_cast<uint64_t>(pages) * 4096;
}

bool limit(int what, uint64_t value) {
    const rlimit both{value, value};
    return setrlimit(static_cast<__rlimit_resource>(what), &both) == 0;
}

} // namespace

// Memory is got and given back, threads wait and wake each other, a signal handler returns, and files of images come through the one
// socket. Everything else (open, exec, fork, sockets, ptrace, other processes, the handlers and masks of signals) is refused by default.
bool close_filter(uint64_t memory_limit) {
    const uint64_t mapped = mapped_bytes();
    if (!mapped || !limit(RLIMIT_AS, mapped + memory_limit) || !limit(RLIMIT_CORE, 0) || !limit(RLIMIT_MEMLOCK, 0)) return false;
    Filter filter;
    for (long call :
         {SYS_futex, SYS_mmap, SYS_munmap, SYS_mprotect, SYS_madvise, SYS_mremap, SYS_brk, SYS_clock_gettime, SYS_clock_nanosleep,
          SYS_nanosleep, SYS_sched_yield, SYS_rt_sigreturn, SYS_restart_syscall, SYS_gettid, SYS_getpid, SYS_close})
        filter.allow(call);
    filter.allow_with(SYS_recvmsg, 0, kControlFd);
    filter.allow_with(SYS_exit_group, 0, kEndStatus);
    filter.allow_signal(SYS_tgkill, static_cast<uint32_t>(getpid()), static_cast<uint32_t>(kill_signal_number()));
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && filter.close();
}

} // namespace aclimb
