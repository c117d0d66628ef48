// SPDX-License-Identifier: Apache-2.0
#include "core/fiber.h"

#include <sys/mman.h>

#include <new>

#include "aclimb/abi.h"

#if defined(__x86_64__)
asm(R"(
.text
.globl aclimb_switch
.hidden aclimb_switch
.type aclimb_switch,@function
aclimb_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
.globl aclimb_switch_tail
.hidden aclimb_switch_tail
aclimb_switch_tail:
  cld
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size aclimb_switch, .-aclimb_switch
)");
#elif defined(__aarch64__)
asm(R"(
.text
.globl aclimb_switch
.hidden aclimb_switch
.type aclimb_switch,%function
aclimb_switch:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
.globl aclimb_switch_tail
.hidden aclimb_switch_tail
aclimb_switch_tail:
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
.size aclimb_switch, .-aclimb_switch
)");
#endif

namespace aclimb {

constexpr size_t kGuardBytes = 64 * 1024; // a multiple of every host's page size

uint8_t* allocate_stack() {
    void* range = mmap(nullptr, 2 * kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) throw std::bad_alloc();
    const auto begin = reinterpret_cast<uintptr_t>(range);
    const uintptr_t stack = (begin + kStackBytes - 1) & ~(kStackBytes - 1);
    if (stack > begin) munmap(range, stack - begin);
    if (stack + kStackBytes < begin + 2 * kStackBytes) munmap(reinterpret_cast<void*>(stack + kStackBytes), begin + kStackBytes - stack);
    mprotect(reinterpret_cast<void*>(stack), kGuardBytes, PROT_NONE);
    return reinterpret_cast<uint8_t*>(stack);
}

void release_stack(uint8_t* stack) { munmap(stack, kStackBytes); }

bool in_guard(const uint8_t* stack, uint64_t addr) { return addr - reinterpret_cast<uintptr_t>(stack) < kGuardBytes; }

void* prepare_stack(uint8_t* stack, void (*entry)()) {
    auto* top = reinterpret_cast<uintptr_t*>(stack + kStackBytes - 128); // below the pointer that core() reads
#if defined(__x86_64__)
    *--top = 0; // where entry would return to
    *--top = reinterpret_cast<uintptr_t>(entry);
    return top - 6;
#else
    top -= 20;
    for (int i = 0; i < 20; i++) top[i] = 0;
    top[11] = reinterpret_cast<uintptr_t>(entry); // x30
    return top;
#endif
}

} // namespace aclimb
