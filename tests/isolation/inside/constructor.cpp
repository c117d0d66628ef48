// SPDX-License-Identifier: Apache-2.0
// A constructor runs before the first launch, and not in the host.
#include "kernel_operator.h"

namespace {

long process_of_constructor = 0;

struct Before {
    Before() {
#if defined(__x86_64__)
        asm volatile("syscall" : "=a"(process_of_constructor) : "a"(39) : "rcx", "r11", "memory"); // getpid
#else
        register long x8 asm("x8") = 172;
        register long x0 asm("x0");
        asm volatile("svc 0" : "=r"(x0) : "r"(x8) : "memory");
        process_of_constructor = x0;
#endif
    }
} before;

} // namespace

extern "C" __global__ __aicore__ void tell_process(GM_ADDR out) { *reinterpret_cast<volatile long*>(out) = process_of_constructor; }
