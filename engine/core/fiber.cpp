// SPDX-License-Identifier: Apache-2.0
#include "core/fiber.h"

#include <sys/mman.h>

#include <new>

#if ACLIMB_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#elif ACLIMB_TSAN
#include <sanitizer/tsan_interface.h>
#endif

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
namespace {

constexpr size_t kTop = kStackBytes - 128; // what lies above is no kernel's
constexpr uint64_t kPattern = 0x5c1ab5f00dca9e37;

// The words that are looked at: the first that an array written beyond its end reaches, and those around the pointer that core() reads.
constexpr size_t kPatterns[] = {kTop, kViewOffset - 8, kStackBytes - 8};

uint64_t& word(uint8_t* stack, size_t offset) { return *reinterpret_cast<uint64_t*>(stack + offset); }

} // namespace

uint8_t* allocate_stack() {
    constexpr size_t kTaken = kStackBytes + kStackGuardBytes, kAsked = kTaken + kStackBytes;
    void* range = mmap(nullptr, kAsked, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) throw std::bad_alloc();
    const auto begin = reinterpret_cast<uintptr_t>(range), end = begin + kAsked;
    const uintptr_t stack = (begin + kStackBytes - 1) & ~(kStackBytes - 1);
    if (stack > begin) munmap(range, stack - begin);
    if (stack + kTaken < end) munmap(reinterpret_cast<void*>(stack + kTaken), end - stack - kTaken);
    void* usable = reinterpret_cast<void*>(stack + kStackGuardBytes);
    if (mprotect(usable, kStackBytes - kStackGuardBytes, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
    return reinterpret_cast<uint8_t*>(stack);
}

bool below_stack(const uint8_t* stack, uint64_t addr) { return addr - reinterpret_cast<uintptr_t>(stack) < kStackGuardBytes; }
bool above_stack(const uint8_t* stack, uint64_t addr) { return addr - reinterpret_cast<uintptr_t>(stack) - kStackBytes < kStackGuardBytes; }

void* prepare_stack(uint8_t* stack, void (*entry)(), CoreView* view) {
    for (const size_t each : kPatterns) word(stack, each) = kPattern;
    word(stack, kViewOffset) = reinterpret_cast<uint64_t>(view);
    uint64_t* top = &word(stack, kTop);
#if defined(__x86_64__)
    *--top = 0; // where entry would return to
    *--top = reinterpret_cast<uint64_t>(entry);
    return top - 6;
#else
    top -= 20;
    for (int i = 0; i < 20; i++) top[i] = 0;
    top[11] = reinterpret_cast<uint64_t>(entry); // x30
    return top;
#endif
}

bool stack_is_whole(uint8_t* stack, const CoreView* view) {
    uint64_t difference = word(stack, kViewOffset) ^ reinterpret_cast<uint64_t>(view);
    for (const size_t each : kPatterns) difference |= word(stack, each) ^ kPattern;
    return difference == 0;
}

#if ACLIMB_ASAN

void forget_frames(uint8_t* stack, void*&) { __asan_unpoison_memory_region(stack + kStackGuardBytes, kStackBytes - kStackGuardBytes); }

__attribute__((noinline, no_sanitize("address"))) void hand_thread_to(void** save, void* to, uint8_t* stack, void*) {
    void* own_frames = nullptr;
    const void* bottom = nullptr;
    size_t bytes = 0;
    __sanitizer_start_switch_fiber(&own_frames, stack + kStackGuardBytes, kStackBytes - kStackGuardBytes);
    __sanitizer_finish_switch_fiber(nullptr, &bottom, &bytes);
    aclimb_switch(save, to);
    __sanitizer_start_switch_fiber(nullptr, bottom, bytes);
    __sanitizer_finish_switch_fiber(own_frames, nullptr, nullptr);
}

#elif ACLIMB_TSAN

void forget_frames(uint8_t*, void*& fiber) {
    if (fiber) __tsan_destroy_fiber(fiber);
    fiber = __tsan_create_fiber(0);
}

__attribute__((noinline, no_sanitize("thread"))) void hand_thread_to(void** save, void* to, uint8_t*, void* fiber) {
    void* const own = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(fiber, 0);
    aclimb_switch(save, to);
    __tsan_switch_to_fiber(own, 0);
}

#endif

} // namespace aclimb
