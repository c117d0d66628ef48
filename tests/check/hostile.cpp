// SPDX-License-Identifier: Apache-2.0
// What a kernel must not be able to do to those that run after it. `how` says which; the names are those of test_after_faults.py.
#include "kernel_operator.h"

using namespace AscendC;

using Function = void (*)();

#define NOINLINE __attribute__((noinline))
#define ASM(text) asm volatile(text) // basic: registers are changed behind the compiler's back

// --- the stack

__aicore__ NOINLINE void Overrun(uint32_t bytes) {
    volatile char array[16];
    for (uint32_t i = 0; i < bytes; ++i) array[i] = 0x41;
}
// The words at the top of the stack, and nothing on the way there.
__aicore__ NOINLINE void OverrunFar() {
    volatile char array[16];
    auto* top = reinterpret_cast<volatile uint64_t*>(reinterpret_cast<uintptr_t>(array) | (256 * 1024 - 1) & ~uintptr_t(7));
    for (int i = 8; i >= 0; --i) top[-i] = 0x4141414141414141;
}
__aicore__ NOINLINE int32_t Deep(int32_t n, volatile int32_t* before) {
    volatile int32_t frame[64];
    frame[n & 63] = n + before[n & 63];
    return n == 0 ? frame[0] : Deep(n - 1, frame) + frame[n & 63];
}
// Until `room` bytes are left; then the engine is called.
__aicore__ NOINLINE int32_t DeepAndPrint(uint32_t room) {
    volatile int32_t frame[16] = {1};
    if ((reinterpret_cast<uintptr_t>(frame) & (256 * 1024 - 1)) > 64 * 1024 + room) return DeepAndPrint(room) + frame[0];
    AscendC::printf("%f %s\n", 1.5f, "deep");
    return frame[0];
}
__aicore__ NOINLINE void LargeArray(GM_ADDR x) {
    volatile char array[1 << 20];
    for (uint32_t i = 0; i < sizeof array; i += 4096) array[i] = 1;
    ((__gm__ int32_t*)x)[0] = array[0];
}
__aicore__ NOINLINE void LargeAlloca(GM_ADDR x, uint32_t bytes) {
    auto* array = static_cast<volatile char*>(__builtin_alloca(bytes));
    array[0] = 1;
    ((__gm__ int32_t*)x)[0] = array[0];
}

// --- jumps and accesses

__aicore__ NOINLINE void Jump(uint64_t to) {
    volatile uint64_t target = to;
    reinterpret_cast<Function>(target)();
    target = 0;
}
__aicore__ NOINLINE void Write(uint64_t to) {
    volatile uint64_t target = to;
    *reinterpret_cast<volatile int32_t*>(target) = 1;
}
__aicore__ NOINLINE void Copy(uint64_t to) {
    volatile uint64_t target = to;
    auto* bytes = reinterpret_cast<volatile char*>(target);
    for (int i = 0; i < 64; ++i) bytes[i] = bytes[i + 64];
}

#if defined(__x86_64__)
__aicore__ NOINLINE void SetFlags(uint64_t bits) { asm volatile("pushfq\n\torq %0, (%%rsp)\n\tpopfq" ::"r"(bits) : "memory", "cc"); }
__aicore__ NOINLINE void TrashRegisters() {
    ASM("movq $0x4141414141414141, %rax\n\tmovq %rax, %rbx\n\tmovq %rax, %rcx\n\tmovq %rax, %rdx\n\tmovq %rax, %rsi\n\t"
        "movq %rax, %rdi\n\tmovq %rax, %rbp\n\tmovq %rax, %r8\n\tmovq %rax, %r9\n\tmovq %rax, %r10\n\tmovq %rax, %r11\n\t"
        "movq %rax, %r12\n\tmovq %rax, %r13\n\tmovq %rax, %r14\n\tmovq %rax, %r15\n\tpcmpeqd %xmm0, %xmm0\n\tmovq (%rbx), %rax");
}
__aicore__ NOINLINE void LoseStack(uint64_t to) {
    asm volatile("movq %0, %%rsp\n\tpushq %%rax\n\tcall *%%rax" ::"r"(to), "a"(to) : "memory");
}
__aicore__ NOINLINE void UnmaskFloat() {
    uint32_t mxcsr = 0;
    asm volatile("ldmxcsr %0" ::"m"(mxcsr));
    volatile float zero = 0;
    zero = 1.0f / zero;
}
__aicore__ NOINLINE void UnmaskX87() {
    uint16_t control = 0x340;
    asm volatile("fldcw %0\n\tfldz\n\tfld1\n\tfdiv %%st(1), %%st\n\tfwait" ::"m"(control));
}
__aicore__ NOINLINE void SetModes() { // without a fault of its own
    uint32_t mxcsr = 0xffc0;
    uint16_t control = 0x0f7f & ~0x300;
    asm volatile("ldmxcsr %0\n\tfldcw %1\n\tfld1\n\tfld1" ::"m"(mxcsr), "m"(control));
}
#else
__aicore__ NOINLINE void SetModes() { asm volatile("msr fpcr, %0" ::"r"(uint64_t{1} << 24 | uint64_t{3} << 22)); } // flush, towards zero
#endif

// The other cores run while this one polls; afterwards its own modes are in force again.
__aicore__ NOINLINE void Poll(GM_ADDR x) {
    SetModes();
    GlobalTensor<int32_t> gm;
    gm.SetGlobalBuffer((__gm__ int32_t*)x, 64);
    for (int i = 0; i < 200; ++i) gm.GetValue(0);
    volatile float one = 1.0f, three = 3.0f;
    gm.SetValue(GetBlockIdx() + 1, 1.0f - one / three * three > 0 ? 1 : 0); // rounded down, a third is too small
}

extern "C" __global__ __aicore__ void hostile(GM_ADDR x, uint32_t how) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    constexpr uint64_t kNowhere = 0x4141414141414141, kUnmapped = 0x414141410000;
    volatile int32_t first[64] = {};
    switch (how) {
    case 0: Overrun(48); break;
    case 1: Overrun(1024); break;
    case 2: Overrun(1 << 20); break;
    case 3: OverrunFar(); break;
    case 4: first[0] = Deep(1000000, first); break;
    case 5: LargeArray(x); break;
    case 6: LargeAlloca(x, 100 << 20); break;
    case 7: first[0] = DeepAndPrint(4096); break;
    case 8: first[0] = DeepAndPrint(600); break;
    case 10: Jump(0); break;
    case 11: Jump(kUnmapped); break;
    case 12: Jump(kNowhere); break;
    case 13: Jump(reinterpret_cast<uint64_t>(x)); break;
    case 14: Jump(reinterpret_cast<uint64_t>(first)); break;
    case 20: Write(64); break;
    case 21: Write(kUnmapped); break;
    case 22: Write(kNowhere); break;
    case 23: Copy(kNowhere); break;
    case 24: Write(0xffffffffff600000); break;
    case 25: Write(reinterpret_cast<uint64_t>(&Deep)); break;
    case 26: AscendC::printf("%s\n", reinterpret_cast<const char*>(kNowhere)); break;
    case 27: AscendC::printf(reinterpret_cast<const char*>(kUnmapped)); break;
    case 30: first[0] = 1000 / first[0]; break;
    case 31: __builtin_trap(); break;
    case 32:
        while (first[0] == 0) {
        }
        break;
#if defined(__x86_64__)
    case 40: ASM("int3"); break;
    case 41: ASM("ud2"); break;
    case 42: ASM("hlt"); break;
    case 43: ASM("cli"); break;
    case 44: ASM("inb $0x80, %al"); break;
    case 45: ASM("int $0x42"); break;
    case 46: ASM(".byte 0xf1"); break; // icebp
    case 47: ASM("rdmsr"); break;
    case 48: ASM("movaps 1(%rsp), %xmm0"); break;
    case 49: ASM("1: jmp 1b"); break;
    case 50: TrashRegisters(); break;
    case 51: LoseStack(0); break;
    case 52: LoseStack(kNowhere); break;
    case 53: LoseStack(reinterpret_cast<uint64_t>(x) + 64); break;
    case 54: UnmaskFloat(); break;
    case 55: UnmaskX87(); break;
    case 56: // alignment check
        SetFlags(1 << 18);
        *reinterpret_cast<volatile int32_t*>(reinterpret_cast<uintptr_t>(first) + 1) = 1;
        break;
    case 57: // single steps
        SetFlags(1 << 8);
        first[0] = 1;
        break;
    case 58: // backwards, alignment check and endless
        SetFlags(1 << 10 | 1 << 18);
        ASM("1: jmp 1b");
        break;
    case 59: // all of it, and endless
        SetModes();
        ASM("1: jmp 1b");
        break;
    case 60: ASM("movq $0x4141414141414141, %rax\n\tmovq $1, %rcx\n\tmovl %eax, 8(%rax,%rcx,4)"); break;
    case 61: ASM("movq $0x4141414141414141, %r13\n\tvmovups %ymm0, (%r13)"); break;
    case 62: ASM("movq $0x4141414141414141, %rdi\n\tmovl $8, %ecx\n\trep stosq"); break;
    case 63: ASM("movq $0x4141414141414141, %rax\n\tjmp *%rax"); break;
    case 64: ASM("movq $0x4141414141414141, %rax\n\tpushq %rax\n\tret"); break;
    case 71: SetFlags(1 << 10); break;
    case 72: SetFlags(1 << 18 | 1 << 21 | 1 << 14); break;
    case 73: ASM("pxor %mm0, %mm0"); break;
    case 74: ASM("fld1\n\tfld1\n\tfld1\n\tfld1\n\tfld1\n\tfld1\n\tfld1\n\tfld1"); break;
#endif
    // From 70 on they do not fail. What they leave behind is nobody else's.
    case 70: SetModes(); break;
    case 75: Poll(x); break;
    default: break;
    }
}
