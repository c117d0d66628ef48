// SPDX-License-Identifier: Apache-2.0
// Kernels of a stranger: what each of them tries is the name it has.
#include "kernel_operator.h"

using namespace AscendC;

namespace {

#if defined(__x86_64__)
__aicore__ inline long call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
    long result;
    register long r10 asm("r10") = d;
    register long r8 asm("r8") = e;
    register long r9 asm("r9") = f;
    asm volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
    return result;
}
enum Number : long {
    kMmap = 9,
    kMprotect = 10,
    kSigaction = 13,
    kSigprocmask = 14,
    kSocket = 41,
    kFork = 57,
    kExecve = 59,
    kExit = 60,
    kKill = 62,
    kPtrace = 101,
    kExitGroup = 231,
    kOpenat = 257,
    kProcessVmReadv = 310
};
const uint8_t kForever[] = {0xeb, 0xfe};
#else
__aicore__ inline long call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
    register long x8 asm("x8") = number;
    register long x0 asm("x0") = a;
    register long x1 asm("x1") = b;
    register long x2 asm("x2") = c;
    register long x3 asm("x3") = d;
    register long x4 asm("x4") = e;
    register long x5 asm("x5") = f;
    asm volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
    return x0;
}
enum Number : long {
    kMmap = 222,
    kMprotect = 226,
    kSigaction = 134,
    kSigprocmask = 135,
    kSocket = 198,
    kFork = 220,
    kExecve = 221,
    kExit = 93,
    kKill = 129,
    kPtrace = 117,
    kExitGroup = 94,
    kOpenat = 56,
    kProcessVmReadv = 270
};
const uint8_t kForever[] = {0, 0, 0, 0x14};
#endif

constexpr long kRead = 1, kWrite = 2, kExecute = 4, kAnonymous = 0x22, kShared = 0x21;

struct Piece {
    void* at;
    uint64_t bytes;
};

} // namespace

// What it got goes to the host, where there is anything.
extern "C" __global__ __aicore__ void read_memory(GM_ADDR out, uint64_t secret) {
    *reinterpret_cast<volatile uint64_t*>(out) = *reinterpret_cast<volatile uint64_t*>(secret);
}

extern "C" __global__ __aicore__ void read_process(GM_ADDR out, uint64_t secret, uint64_t process) {
    Piece to{out, 8}, from{reinterpret_cast<void*>(secret), 8};
    call(kProcessVmReadv, static_cast<long>(process), reinterpret_cast<long>(&to), 1, reinterpret_cast<long>(&from), 1, 0);
}

extern "C" __global__ __aicore__ void trace_process(GM_ADDR out, uint64_t process) { call(kPtrace, 16, static_cast<long>(process), 0, 0); }

extern "C" __global__ __aicore__ void open_file(GM_ADDR path) {
    call(kOpenat, -100, reinterpret_cast<long>(path), 0x42, 0600); // to write, made if it is not there
}

extern "C" __global__ __aicore__ void run_shell(GM_ADDR path) {
    long words[] = {reinterpret_cast<long>(path), 0};
    call(kExecve, reinterpret_cast<long>(path), reinterpret_cast<long>(words), 0);
}

extern "C" __global__ __aicore__ void start_process(GM_ADDR) { call(kFork, 17); }

extern "C" __global__ __aicore__ void open_socket(GM_ADDR) { call(kSocket, 2, 1, 0); }

extern "C" __global__ __aicore__ void kill_host(GM_ADDR, uint64_t process) { call(kKill, static_cast<long>(process), 9); }

extern "C" __global__ __aicore__ void block_signals(GM_ADDR) {
    uint64_t all = ~uint64_t{0};
    call(kSigprocmask, 0, reinterpret_cast<long>(&all), 0, 8);
}

extern "C" __global__ __aicore__ void take_signals(GM_ADDR) { call(kSigaction, 31, 0, 0, 8); }

extern "C" __global__ __aicore__ void leave(GM_ADDR, uint64_t status) { call(kExitGroup, static_cast<long>(status)); }

extern "C" __global__ __aicore__ void leave_thread(GM_ADDR) { call(kExit, 0); }

// As many pages as it gets, and says how many.
extern "C" __global__ __aicore__ void exhaust_memory(GM_ADDR out, uint64_t most) {
    constexpr long kPiece = 64 << 20;
    auto& got = *reinterpret_cast<volatile uint64_t*>(out);
    for (got = 0; got < most; got += kPiece) {
        const long at = call(kMmap, 0, kPiece, kRead | kWrite, kShared, -1, 0);
        if (at < 0 && at > -4096) return;
        for (long page = 0; page < kPiece; page += 4096) *reinterpret_cast<volatile uint8_t*>(at + page) = 1;
    }
}

// Behind its buffer lies the rest of the device's address range.
extern "C" __global__ __aicore__ void fill_global_memory(GM_ADDR x, uint64_t most) {
    const auto begin = reinterpret_cast<uint64_t>(x) + (1 << 20);
    call(kMprotect, static_cast<long>(begin), static_cast<long>(most), kRead | kWrite);
    for (uint64_t at = begin; at < begin + most; at += 4096) *reinterpret_cast<volatile uint8_t*>(at) = 1;
    while (true) call(kMprotect, static_cast<long>(begin), 4096, kRead | kWrite); // and keeps it
}

// In code that is not the kernel's own, where a signal does not end it.
extern "C" __global__ __aicore__ void run_for_ever(GM_ADDR) {
    const long at = call(kMmap, 0, 4096, kRead | kWrite | kExecute, kAnonymous, -1, 0);
    for (unsigned i = 0; i < sizeof kForever; i++) reinterpret_cast<volatile uint8_t*>(at)[i] = kForever[i];
    reinterpret_cast<void (*)()>(at)();
}

extern "C" __global__ __aicore__ void call_libc(GM_ADDR command, uint64_t function) {
    reinterpret_cast<int (*)(GM_ADDR)>(function)(command);
}

extern "C" __global__ __aicore__ void corrupt_ring(GM_ADDR, uint64_t ring, uint64_t bytes, uint8_t value) {
    for (uint64_t i = 0; i < bytes; i++) reinterpret_cast<volatile uint8_t*>(ring)[i] = value;
}

// Gives answers in the place of the engine: to every launch that there is, and to those that are not.
extern "C" __global__ __aicore__ void forge_answers(GM_ADDR answer, uint64_t exchanges, uint64_t stride, uint64_t data, uint64_t bytes) {
    for (uint64_t i = 0; i < 16; i++) {
        auto* each = reinterpret_cast<volatile uint8_t*>(exchanges + i * stride);
        for (uint64_t at = 0; at < bytes; at++) each[data + at] = answer[at];
        reinterpret_cast<volatile uint32_t*>(each)[3] = static_cast<uint32_t>(bytes);
        reinterpret_cast<volatile uint32_t*>(each)[0] = 3;
    }
}

extern "C" __global__ __aicore__ void add_one(GM_ADDR x) { *reinterpret_cast<volatile uint64_t*>(x) += 1; }

extern "C" __global__ __aicore__ void say(GM_ADDR x) {
    AscendC::printf("said by the kernel itself\n");
    *reinterpret_cast<volatile uint64_t*>(x) += 1;
}
