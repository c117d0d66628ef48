// SPDX-License-Identifier: Apache-2.0
// A kernel's fault is not the host's. A signal raised by a core ends that core: the handler edits the interrupted context so
// that the thread continues in its scheduler, as if the core had switched out. Nothing is unwound, no jump leaves the handler.
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <mutex>
#include <thread>

#include "core/cpu_modes.h"
#include "core/fiber.h"
#include "core/launch.h"
#include "core/signal_fault.h"
#include "core/worker.h"
#include "memory/guarded.h"

namespace aclimb {
namespace {

// Leaked on purpose: threads outlive static destruction.
std::mutex& workers_mutex = *new std::mutex;
std::vector<Worker*>& workers = *new std::vector<Worker*>;
std::atomic<double> limit_seconds{120};
struct sigaction previous[NSIG];
int kill_signal = 0;
std::atomic<bool> sigint_is_ours{true};
std::atomic<int> watching{0};
// Ids of launches that are to end, each in its place: several streams can be aborted before the watchdog looks.
constexpr uint64_t kInterrupted = 256;
std::atomic<uint64_t> interrupted_launches[kInterrupted];

// Edits the interrupted context: the thread goes on in its scheduler, and with none of what the core held or had set.
void leave_core(Worker& worker, ucontext_t& context) {
    program_counter(context) = reinterpret_cast<uint64_t>(aclimb_switch_tail);
#if defined(__x86_64__)
    context.uc_mcontext.gregs[REG_RSP] = reinterpret_cast<greg_t>(worker.scheduler_sp);
    context.uc_mcontext.gregs[REG_EFL] &= ~static_cast<greg_t>(kForeignFlags);
#else
    context.uc_mcontext.sp = reinterpret_cast<uint64_t>(worker.scheduler_sp);
#endif
    Core& core = *worker.current;
    if (core.held_lock) core.held_lock->clear(std::memory_order_release);
    core.held_lock = nullptr;
    core.state = CoreState::failed;
}

// Back to who asked for guarded memory, by returning: the thread keeps its rounding and its signal mask.
void resume_at_guard(ucontext_t& context) {
    program_counter(context) = reinterpret_cast<uint64_t>(leave_guarded);
#if defined(__x86_64__)
    auto& sp = context.uc_mcontext.gregs[REG_RSP];
    sp = ((sp - 128) & ~greg_t{15}) - 8; // below the red zone, as after a call
    context.uc_mcontext.gregs[REG_EFL] &= ~static_cast<greg_t>(kForeignFlags);
#endif
}

void call_previous(int signal, siginfo_t* info, void* context) {
    const auto& old = previous[signal];
    if (old.sa_flags & SA_SIGINFO) {
        old.sa_sigaction(signal, info, context);
    } else if (old.sa_handler == SIG_DFL) {
        sigaction(signal, &old, nullptr);                           // returning repeats the fault, now with the default action
        if (info->si_code <= 0 || signal == SIGTRAP) raise(signal); // one that was sent, or a breakpoint, does not repeat itself
    } else if (old.sa_handler != SIG_IGN) {
        old.sa_handler(signal);
    }
}

void on_fault(int number, siginfo_t* info, void* raw) {
    clean_flags(); // a handler starts with the kernel's alignment check
    Worker* worker = this_worker();
    auto& context = *static_cast<ucontext_t*>(raw);
    const bool guarded = (number == SIGSEGV || number == SIGBUS) && in_guarded();
    if (!guarded && (!worker || !worker->current)) return call_previous(number, info, raw);
    // Raised by another handler that was installed after ours: returning lets the instruction fault again, with the true address.
    if (info->si_code <= 0) return;
    if (guarded) return resume_at_guard(context);
    worker->signal = read_signal(*worker, number, *info, context);
    leave_core(*worker, context);
}

// Inside the engine: the core ends at its next instruction, when no lock is held.
void issue_killed(CoreView* view, Head*) {
    auto& core = *static_cast<Core*>(view);
    core.leave({KernelSignal::killed, reinterpret_cast<uint64_t>(__builtin_return_address(0)) - 1, 0, nullptr});
}

// ThreadSanitizer may be half way from one core to the next when the signal comes.
ACLIMB_UNWATCHED void on_kill(int, siginfo_t*, void* raw) {
    clean_flags();
    Worker* worker = this_worker();
    if (!worker || !worker->current || worker->kill != worker->running) return;
    Core* core = worker->current;
    auto& context = *static_cast<ucontext_t*>(raw);
    const uint64_t pc = program_counter(context);
    if (core->launch->kernel->has_code(pc)) {
        worker->signal = {KernelSignal::killed, pc, 0, nullptr};
        leave_core(*worker, context);
    } else {
        core->issue = issue_killed;
    }
}

// The code that a signal interrupts may be about to read it.
struct KeepErrno {
    ~KeepErrno() { errno = before; }
    const int before = errno;
};

ACLIMB_UNWATCHED void on_sigint(int signal, siginfo_t* info, void* raw) {
    clean_flags();
    const KeepErrno kept;
    call_previous(signal, info, raw);
    Worker* worker = this_worker();
    if (!worker || !worker->taking_part) return;
    interrupt_launch(*worker->taking_part);
    if (!worker->current) return;
    worker->kill_reason = FaultKind::interrupted;
    worker->kill.store(worker->running);
    on_kill(signal, info, raw);
}

void kill_worker(Worker& worker, uint64_t id, FaultKind reason) {
    worker.kill_reason = reason;
    worker.kill = id;
    syscall(SYS_tgkill, getpid(), worker.thread, kill_signal);
}

void watch() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    watching = 1;
    for (;;) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        const uint64_t limit_of_all = static_cast<uint64_t>(limit_seconds.load() * 1e9), now = now_ns();
        std::lock_guard lock(workers_mutex);
        for (Worker* worker : workers) {
            const uint64_t id = worker->running;
            const uint64_t since = worker->running_since, own = worker->limit_ns, limit = own ? own : limit_of_all;
            if (id && id == interrupted_launches[id % kInterrupted]) kill_worker(*worker, id, FaultKind::interrupted);
            if (id && since && now > since && now - since > limit && id == worker->running) kill_worker(*worker, id, FaultKind::time_limit);
        }
    }
}

// ThreadSanitizer keeps a signal from another thread until this one calls the system, which an endless loop never does.
void deliver_at_once([[maybe_unused]] int signal, [[maybe_unused]] void (*handler)(int, siginfo_t*, void*)) {
#if ACLIMB_TSAN
    uint64_t action[4]; // as the kernel has it: the handler comes first
    syscall(SYS_rt_sigaction, signal, nullptr, action, 8);
    action[0] = reinterpret_cast<uint64_t>(handler);
    syscall(SYS_rt_sigaction, signal, action, nullptr, 8);
#endif
}

} // namespace

void register_worker(Worker* worker) {
    std::lock_guard lock(workers_mutex);
    workers.push_back(worker);
}

int threads_set_up() {
    std::lock_guard lock(workers_mutex);
    return watching + static_cast<int>(workers.size());
}

void set_time_limit(double seconds) { limit_seconds = seconds; }
double time_limit() { return limit_seconds; }

// Also called from a signal handler: no locks. The watchdog sees to the threads that run its cores.
void interrupt_launch(Launch& launch) {
    launch.cancelled = true;
    launch.notify();
    interrupted_launches[launch.id % kInterrupted] = launch.id;
}

void install_fault_handlers() {
    static std::once_flag once;
    std::call_once(once, [] {
        kill_signal = SIGRTMIN + 6;
        struct sigaction action{};
        sigemptyset(&action.sa_mask);
        action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
        action.sa_sigaction = on_fault;
        for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}) sigaction(signal, &action, &previous[signal]);
        action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
        action.sa_sigaction = on_kill;
        sigaction(kill_signal, &action, nullptr);
        deliver_at_once(kill_signal, on_kill);
    });
}

namespace {

void (*die_of)(int, uint64_t) = nullptr;

void on_refused_call(int number, siginfo_t* info, void* raw) {
    clean_flags();
    Worker* worker = this_worker();
    auto& context = *static_cast<ucontext_t*>(raw);
    // Outside the kernel's own code a lock may be held for good.
    if (!worker || !worker->current || !is_in_kernel(*worker, context)) die_of(number, static_cast<uint64_t>(info->si_syscall));
    worker->signal = read_signal(*worker, number, *info, context);
    leave_core(*worker, context);
}

void on_own_fault(int number, siginfo_t* info, void*) { die_of(number, reinterpret_cast<uint64_t>(info->si_addr)); }

} // namespace

// Before install_fault_handlers, which keeps what it finds for faults that are no kernel's.
void install_system_call_handler(void (*die)(int signal, uint64_t what)) {
    die_of = die;
    struct sigaction action{};
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    action.sa_sigaction = on_refused_call;
    sigaction(SIGSYS, &action, nullptr);
    action.sa_sigaction = on_own_fault;
    for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT}) sigaction(signal, &action, nullptr);
}

void start_watchdog() {
    static std::once_flag once;
    std::call_once(once, [] { std::thread(watch).detach(); });
}

void leave_sigint() { sigint_is_ours = false; }

void watch_sigint() {
    if (!sigint_is_ours) return;
    struct sigaction now{};
    sigaction(SIGINT, nullptr, &now);
    if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_sigint) return;
    if (now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN) return; // nobody asked to hear of it
    previous[SIGINT] = now;
    struct sigaction ours{};
    sigemptyset(&ours.sa_mask);
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | (now.sa_flags & SA_RESTART);
    ours.sa_sigaction = on_sigint;
    sigaction(SIGINT, &ours, nullptr);
    deliver_at_once(SIGINT, on_sigint);
}

int kill_signal_number() { return kill_signal; }

} // namespace aclimb
